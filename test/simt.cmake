# The kernels' bodies on the CPU, always under the sanitizers.
find_package(Boost 1.74 QUIET CONFIG COMPONENTS context)
if(TARGET Boost::context)
  add_executable(warpfold-simt-test
    simt/block.cpp
    simt/block_test.cpp
    simt/counting/aggregated_counter_test.cpp
    simt/counting/aggregated_sum_test.cpp
    simt/counting/counting_test.cpp
    simt/counting/staged_count_history_test.cpp
    simt/norms/norms_test.cpp
    simt/poisson/boxes_test.cpp
    simt/poisson/long_test.cpp
    simt/poisson/mixed_test.cpp
    simt/poisson/packed_test.cpp
    simt/poisson/slabs_test.cpp
    simt/poisson/units_test.cpp
    simt/pricing/basket_exercise_test.cpp
    simt/pricing/baskets_test.cpp
    simt/pricing/contracts_test.cpp
    simt/pricing/early_exercise_test.cpp
    simt/pricing/excess_test.cpp
    simt/pricing/greek_rows_test.cpp
    simt/pricing/greeks_test.cpp
    simt/pricing/monte_carlo_test.cpp
    simt/pricing/path_teams_test.cpp
    simt/pricing/paths_test.cpp
    simt/pricing/schedules_test.cpp
    simt/quantiles/quantiles_test.cpp
    simt/quantiles/top_k_test.cpp
    simt/reduction/exact_test.cpp
    simt/reduction/fold_test.cpp
    simt/reduction/tally_test.cpp
    simt/scan/scan_test.cpp
    simt/scan/segmented_scan_test.cpp
    simt/scatter/exact_scatter_test.cpp
    simt/scatter/histogram_test.cpp
    simt/scatter/scatter_test.cpp
    simt/segments/by_key_test.cpp
    simt/segments/exact_segments_test.cpp
    simt/segments/own_elements_test.cpp
    simt/segments/segments_test.cpp
    simt/transforms/transforms_test.cpp
    simt/twins/course_test.cpp
    simt/twins/ladder_test.cpp)
  # Inlined as on a GPU, the bodies would take this compiler three times as long.
  target_compile_definitions(warpfold-simt-test PRIVATE WARPFOLD_ALWAYS_INLINE=inline)
  target_compile_options(warpfold-simt-test PRIVATE -Og -g1 -fsanitize=address,undefined
    -fno-sanitize-recover=undefined -fno-sanitize=null,object-size,pointer-overflow,vptr) # ASan sees the accesses
  if(NOT WARPFOLD_HOST_SANITIZERS) # which look at scopes, too: a fifth of the compiler's time
    target_compile_options(warpfold-simt-test PRIVATE -fno-sanitize-address-use-after-scope)
  endif()
  target_precompile_headers(warpfold-simt-test PRIVATE simt/simt.hpp)
  set_source_files_properties(simt/block.cpp PROPERTIES # the emulator, which all tests wait for
    COMPILE_OPTIONS "-O2;-fno-sanitize=undefined" SKIP_PRECOMPILE_HEADERS ON)
  target_link_options(warpfold-simt-test PRIVATE -fsanitize=address,undefined)
  target_link_libraries(warpfold-simt-test PRIVATE
    warpfold-test-main warpfold::warpfold warpfold::twins warpfold_warnings Boost::context)
  if(TARGET warpfold::fftw)
    target_sources(warpfold-simt-test PRIVATE simt/poisson/lines_test.cpp)
    target_link_libraries(warpfold-simt-test PRIVATE warpfold::fftw)
  else()
    warpfold_skipped_test(warpfold-simt-test-poisson "FFTW")
  endif()
  add_test(NAME warpfold-simt-test COMMAND warpfold-simt-test)
  warpfold_host_test(warpfold-simt-test)
  set_tests_properties(warpfold-simt-test PROPERTIES COST 200) # the longest without a GPU
else()
  warpfold_skipped_test(warpfold-simt-test Boost.Context)
endif()
