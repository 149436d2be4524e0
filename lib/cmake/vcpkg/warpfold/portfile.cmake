# A port for vcpkg: `vcpkg install warpfold --overlay-ports=lib/cmake/vcpkg`, from a checkout, whose
# sources it takes. The project builds it by no test.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
get_filename_component(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../../.. ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  fftw WARPFOLD_FFTW nccl WARPFOLD_NCCL twins WARPFOLD_TWINS)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH} OPTIONS ${features}
  -DWARPFOLD_TESTS=OFF -DWARPFOLD_TOUR=OFF -DWARPFOLD_BENCHMARKS=OFF -DWARPFOLD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/warpfold)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
