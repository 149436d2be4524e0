# Before project(): the compiler for CUDA, and the GPUs to compile for.

find_program(WARPFOLD_NVCC nvcc
  HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin
  DOC "The CUDA compiler")
if(NOT WARPFOLD_NVCC AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  message(FATAL_ERROR
    "warpfold needs the CUDA Toolkit 13 to build (https://developer.nvidia.com/cuda-downloads, or "
    "your distribution's cuda-toolkit-13 package). No GPU is needed: without one, warpfold builds "
    "and runs on its host backend. If the toolkit is installed, set CUDACXX to its nvcc.")
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER ${WARPFOLD_NVCC})
endif()

# The machine's own GPU if there is one, else Hopper.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${capabilities}")
  list(TRANSFORM capabilities REPLACE "\\." "")
  list(FILTER capabilities EXCLUDE REGEX "^[1-7].$") # without __reduce_add_sync and cp.async
  list(REMOVE_DUPLICATES capabilities)
  if(failed OR NOT capabilities)
    set(capabilities 90)
    message(STATUS "warpfold: no GPU of compute capability 8.0 or newer here, so compiled for Hopper; CMAKE_CUDA_ARCHITECTURES names others")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${capabilities} CACHE STRING "GPUs to compile for")
endif()
foreach(architecture ${CMAKE_CUDA_ARCHITECTURES})
  if(architecture MATCHES "^[1-7][0-9](-|$)")
    message(FATAL_ERROR "warpfold is for GPUs of compute capability 8.0 or newer, not ${architecture}: set "
      "CMAKE_CUDA_ARCHITECTURES to 80 or newer before project(... CUDA), which else takes nvcc's default.")
  endif()
endforeach()
