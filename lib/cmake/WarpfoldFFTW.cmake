# FFTW in double and float, as imported targets; of use to this project and to those that link it.
if(NOT TARGET warpfold::fftw)
  find_path(WARPFOLD_FFTW_INCLUDE fftw3.h)
  find_library(WARPFOLD_FFTW_DOUBLE fftw3)
  find_library(WARPFOLD_FFTW_FLOAT fftw3f)
  mark_as_advanced(WARPFOLD_FFTW_INCLUDE WARPFOLD_FFTW_DOUBLE WARPFOLD_FFTW_FLOAT)
  if(WARPFOLD_FFTW_INCLUDE AND WARPFOLD_FFTW_DOUBLE AND WARPFOLD_FFTW_FLOAT)
    add_library(warpfold::fftw INTERFACE IMPORTED)
    set_target_properties(warpfold::fftw PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES ${WARPFOLD_FFTW_INCLUDE}
      INTERFACE_LINK_LIBRARIES "${WARPFOLD_FFTW_DOUBLE};${WARPFOLD_FFTW_FLOAT}")
  endif()
endif()
