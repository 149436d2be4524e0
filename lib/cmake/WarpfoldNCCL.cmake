# NCCL as an imported target; of use to this project and to those that link it.
if(NOT TARGET warpfold::nccl)
  find_path(WARPFOLD_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(WARPFOLD_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(WARPFOLD_NCCL_INCLUDE WARPFOLD_NCCL_LIBRARY)
  if(WARPFOLD_NCCL_INCLUDE AND WARPFOLD_NCCL_LIBRARY)
    add_library(warpfold::nccl INTERFACE IMPORTED)
    set_target_properties(warpfold::nccl PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES ${WARPFOLD_NCCL_INCLUDE}
      INTERFACE_LINK_LIBRARIES ${WARPFOLD_NCCL_LIBRARY})
  endif()
endif()
