# Ranks that work together: on hosts as threads, once more under ThreadSanitizer, and on GPUs.
set(comm_tests
  comm/books_collective_test.cpp
  comm/collective_counting_test.cpp
  comm/collective_scatter_test.cpp
  comm/collective_test.cpp
  comm/communicator_test.cpp
  comm/large_slab_test.cpp
  comm/paths_collective_test.cpp
  comm/pricing_collective_test.cpp
  comm/products_collective_test.cpp
  comm/risk_collective_test.cpp
  comm/selections_test.cpp
  comm/slab_solver_test.cpp)
warpfold_suite(warpfold-comm-test GPU SUPPORT SOURCES ${comm_tests}
  comm/contracts_collective_test.cpp comm/current_device_test.cpp comm/refusals_comm_test.cpp
  comm/refusals_scatter_ranks_test.cpp)
set_tests_properties(warpfold-comm-test-gpu PROPERTIES RUN_SERIAL ON) # for the memory
if(NOT WARPFOLD_HOST_SANITIZERS) # of which there can be only one kind
  set(library) # what they run
  foreach(type float double)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/tsan/slab_solver_${type}.cpp)
    file(CONFIGURE OUTPUT ${file}
      CONTENT "#include \"comm/slab_solver.hpp\"\nWARPFOLD_SOLVERS_OF_host_${type}(INSTANTIATE)\n")
    list(APPEND library ${file})
  endforeach()
  foreach(part communicator group pricing products share_paths simulations thread_transport)
    list(APPEND library ../lib/comm/${part}.cpp)
  endforeach()
  set_source_files_properties(${library} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(${library} main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_executable(warpfold-comm-tsan-test main.cpp ${comm_tests} ${library})
  set_target_properties(warpfold-comm-tsan-test PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${WARPFOLD_TEST_BATCH})
  target_precompile_headers(warpfold-comm-tsan-test PRIVATE support.hpp)
  target_compile_options(warpfold-comm-tsan-test PRIVATE -O1 -g1 -fsanitize=thread)
  target_link_options(warpfold-comm-tsan-test PRIVATE -fsanitize=thread)
  target_link_libraries(warpfold-comm-tsan-test PRIVATE
    warpfold::warpfold warpfold::twins warpfold_warnings doctest::doctest)
  add_test(NAME warpfold-comm-tsan-test COMMAND warpfold-comm-tsan-test --test-suite-exclude=gpu,gpus)
  warpfold_host_test(warpfold-comm-tsan-test)
endif()

# Ranks that MPI has started.
find_package(MPI COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_executable(warpfold-mpi-test comm/mpi_test.cpp)
  target_link_libraries(warpfold-mpi-test PRIVATE
    warpfold::warpfold warpfold_warnings doctest::doctest MPI::MPI_CXX)
  warpfold_mpi_test(warpfold-mpi-test 4 $<TARGET_FILE:warpfold-mpi-test> --test-suite-exclude=gpu)
  warpfold_mpi_test(warpfold-mpi-test-gpus 2 $<TARGET_FILE:warpfold-mpi-test> --test-suite=gpu)
  warpfold_host_test(warpfold-mpi-test)
  warpfold_gpu_test(warpfold-mpi-test-gpus)
else()
  warpfold_skipped_test(warpfold-mpi-test MPI)
  warpfold_skipped_test(warpfold-mpi-test-gpus MPI)
endif()
