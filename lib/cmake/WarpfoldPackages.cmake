# `cpack -G DEB` and `cpack -G TGZ` in a build folder: a package for developers, of what is installed.
set(CPACK_PACKAGE_NAME warpfold)
set(CPACK_PACKAGE_VENDOR "The warpfold developers")
set(CPACK_PACKAGE_CONTACT "The warpfold developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES OFF) # archives keep their symbols
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME libwarpfold-dev)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip) # GPU code is compressed already
# The toolkit may come from elsewhere than NVIDIA's packages.
set(CPACK_DEBIAN_PACKAGE_DEPENDS g++)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS cuda-cudart-dev-13-0)
if(WARPFOLD_HAS_FFTW AND WARPFOLD_TWINS)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libfftw3-dev")
endif()
if(WARPFOLD_HAS_CUFFT)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libcufft-dev-13-0")
endif()
include(CPack)
