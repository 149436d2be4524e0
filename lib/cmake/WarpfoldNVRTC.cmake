# NVRTC as an imported target, of which nothing but itself is linked: CUDA::nvrtc brings the driver's library,
# without which programs could not start where there is no GPU.
if(NOT TARGET warpfold::nvrtc)
  find_path(WARPFOLD_NVRTC_INCLUDE nvrtc.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(WARPFOLD_NVRTC_LIBRARY nvrtc HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(WARPFOLD_NVRTC_INCLUDE WARPFOLD_NVRTC_LIBRARY)
  if(WARPFOLD_NVRTC_INCLUDE AND WARPFOLD_NVRTC_LIBRARY)
    add_library(warpfold::nvrtc INTERFACE IMPORTED)
    set_target_properties(warpfold::nvrtc PROPERTIES INTERFACE_LINK_LIBRARIES ${WARPFOLD_NVRTC_LIBRARY})
    # The toolkit's headers are there for all: no other toolkit's are to come before them.
    if(NOT WARPFOLD_NVRTC_INCLUDE IN_LIST CUDAToolkit_INCLUDE_DIRS)
      set_target_properties(warpfold::nvrtc PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${WARPFOLD_NVRTC_INCLUDE})
    endif()
  endif()
endif()
