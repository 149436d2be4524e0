# Common to the tests of all folders.

# A test that cannot be made here, so that ctest counts it as skipped.
function(warpfold_skipped_test name what)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${what} is not installed")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# Tests that use a GPU have the label gpu; the others run without one, also where there is one. Tests run
# beside each other: OpenMP's threads must not spin on cores that another test could use while they wait.
function(warpfold_gpu_test)
  set_tests_properties(${ARGN} PROPERTIES LABELS gpu SKIP_RETURN_CODE 77
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()
function(warpfold_host_test)
  set_tests_properties(${ARGN} PROPERTIES
    ENVIRONMENT "CUDA_VISIBLE_DEVICES=;OMP_WAIT_POLICY=passive")
endfunction()
# A test that uses the GPU where there is one.
function(warpfold_test_anywhere)
  if(EXISTS /dev/nvidiactl)
    set_tests_properties(${ARGN} PROPERTIES LABELS gpu RUN_SERIAL ON)
  endif()
endfunction()

# A command as so many processes that MPI starts, also as root and on few cores. Open MPI itself leaks.
function(warpfold_mpi_test name processes)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    ASAN_OPTIONS=detect_leaks=0:protect_shadow_gap=0
    ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${processes} ${ARGN})
endfunction()

# A python that has the module, in the cache.
function(warpfold_imports result python) # sees the module of the function that finds one
  execute_process(COMMAND ${python} -c "import ${module}" RESULT_VARIABLE failed
    OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
function(warpfold_find_python variable module)
  find_program(${variable} python3 VALIDATOR warpfold_imports)
  mark_as_advanced(${variable})
endfunction()
