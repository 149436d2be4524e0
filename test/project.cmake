# Tests of the project as a whole: other GPUs, headers, machine code, documents, packages, format.

# Without a GPU the library is compiled for Hopper alone: some of what kernels do on older ones.
add_library(warpfold_older_gpus OBJECT
  ../lib/pricing/european/monte_carlo_plain.cu)
warpfold_instances(older_gpus poisson/engine/rows.cuh UNITS float)
warpfold_instances(older_gpus reduction/fold.cuh SUMS half)
warpfold_instances(older_gpus counting/compaction.cuh SELECTIONS float)
set_target_properties(warpfold_older_gpus PROPERTIES CUDA_ARCHITECTURES 80)
target_compile_definitions(warpfold_older_gpus PRIVATE WARPFOLD_PERIODIC_UNITS)
target_include_directories(warpfold_older_gpus PRIVATE ${PROJECT_SOURCE_DIR}/lib)
target_compile_options(warpfold_older_gpus PRIVATE -Ofc=max) # compiled, never run
target_link_libraries(warpfold_older_gpus PRIVATE warpfold::core warpfold_warnings)

# Every public header compiles alone with a compiler that has never heard of CUDA.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/warpfold/*.hpp)
list(FILTER headers EXCLUDE REGEX /detail/)
list(REMOVE_ITEM headers # which nvcc finds CCCL for
  warpfold/interop/cccl.hpp warpfold/interop/memory_resource.hpp)
if(NOT MPI_CXX_FOUND)
  list(REMOVE_ITEM headers warpfold/comm/mpi.hpp)
endif()
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} name)
  file(CONFIGURE OUTPUT headers/${name}.cpp CONTENT "#include <${header}>\n#include <${header}>\n")
  list(APPEND header_sources ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
endforeach()
add_library(warpfold-headers OBJECT ${header_sources})
target_link_libraries(warpfold-headers PRIVATE
  warpfold::warpfold warpfold_warnings $<TARGET_NAME_IF_EXISTS:MPI::MPI_CXX>)

# Every public function refuses something in a table, and every verb is in tables of other tests, or says
# why it is not.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME refusals
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/check_refusals.py
            ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME verbs
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/check_verbs.py
            ${PROJECT_SOURCE_DIR}/docs/verbs.md ${PROJECT_SOURCE_DIR}/include/warpfold ${CMAKE_CURRENT_SOURCE_DIR})
else()
  warpfold_skipped_test(refusals "Python 3")
  warpfold_skipped_test(verbs "Python 3")
endif()

# The compiler's output for hot kernels.
find_program(WARPFOLD_CUOBJDUMP cuobjdump HINTS ${CUDAToolkit_BIN_DIR})
mark_as_advanced(WARPFOLD_CUOBJDUMP)
if(WARPFOLD_CUOBJDUMP AND Python3_FOUND AND "90" IN_LIST CMAKE_CUDA_ARCHITECTURES)
  set(objects)
  foreach(part sums extrema norms counting segments quantiles solvers)
    list(APPEND objects $<TARGET_OBJECTS:warpfold_${part}>)
  endforeach()
  add_test(NAME sass COMMAND_EXPAND_LISTS
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/check_sass.py ${WARPFOLD_CUOBJDUMP} ${objects})
else()
  warpfold_skipped_test(sass "cuobjdump, or a compiler for Hopper,")
endif()

# Checks of the documents: links, paths, commands, names, quotations, figures.
if(Python3_FOUND)
  add_test(NAME documents COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/check_documents.py)
else()
  warpfold_skipped_test(documents "Python 3")
endif()

# How large the examples of README are, stripped, and what they link; and how large the components are.
function(warpfold_size_test example bytes)
  add_test(NAME size-${example} COMMAND ${CMAKE_COMMAND}
    -Dprogram=$<TARGET_FILE:warpfold-example-${example}> -Dbytes=${bytes} -Dstrip=${CMAKE_STRIP}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/check_size.cmake)
endfunction()
function(warpfold_archives_test name bytes)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:warpfold_\\1>")
  add_test(NAME size-${name} COMMAND ${CMAKE_COMMAND} "-Darchives=${ARGN}" -Dbytes=${bytes}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/check_archives.cmake)
endfunction()
list(LENGTH CMAKE_CUDA_ARCHITECTURES architectures)
if(architectures EQUAL 1 AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WARPFOLD_HOST_SANITIZERS)
  if(WARPFOLD_EXAMPLES)
    warpfold_size_test(sum 3000000)
    warpfold_size_test(trust 8000000)
  endif()
  set(compiled)
  if(WARPFOLD_HAS_NVRTC)
    set(compiled compiled)
  endif()
  set(reductions sums extrema statistics norms counting segments scans scatter quantiles)
  warpfold_archives_test(reductions 25000000 ${reductions})
  if(CMAKE_STRIP)
    set(most 60000000) # by g++ 12; what a later one makes of host code is larger
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      set(most 62000000)
    endif()
    warpfold_archives_test(components ${most} core ${reductions} random
      prices simulations paths contracts baskets exercise schedules greeks risk solvers transforms
      groups groups_simulations groups_pricing groups_products groups_slabs ${compiled})
  endif()
endif()

# A C++ project outside: built and run against the installed package, without a GPU and with one; and
# taking the sources in.
set(consumer ${CMAKE_COMMAND}
  -Dbuild=${PROJECT_BINARY_DIR}/consumer -Dgenerator=${CMAKE_GENERATOR}
  -Dcxx=${CMAKE_CXX_COMPILER} -Dcuda=${CMAKE_CUDA_COMPILER})
add_test(NAME consumer
  COMMAND ${consumer} -Dinstall=${PROJECT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
warpfold_host_test(consumer)
add_test(NAME consumer-gpu COMMAND ${PROJECT_BINARY_DIR}/consumer/packagereductions/sums)
warpfold_gpu_test(consumer-gpu)
set_tests_properties(consumer PROPERTIES FIXTURES_SETUP consumer)
set_tests_properties(consumer-gpu PROPERTIES
  FIXTURES_REQUIRED consumer SKIP_REGULAR_EXPRESSION "no GPU")
find_program(WARPFOLD_DPKG_DEB dpkg-deb)
mark_as_advanced(WARPFOLD_DPKG_DEB)
if(WARPFOLD_DPKG_DEB)
  add_test(NAME packages COMMAND ${consumer} -Dinstall=${PROJECT_BINARY_DIR}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/packages.cmake)
else()
  warpfold_skipped_test(packages dpkg-deb)
endif()
add_test(NAME consumer-of-sources
  COMMAND ${consumer} -Dsources=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)

# The API reference, and what it is to say. What Doxygen warns of differs from version to version.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND AND Python3_FOUND)
  set(reference ${Python3_EXECUTABLE} docs/check_reference.py ${DOXYGEN_EXECUTABLE})
  list(APPEND reference ${PROJECT_BINARY_DIR}/reference)
  add_custom_target(reference ${reference} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
if(TARGET reference AND DOXYGEN_VERSION VERSION_EQUAL 1.9.4)
  add_test(NAME reference COMMAND ${reference} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
else()
  warpfold_skipped_test(reference "Doxygen 1.9.4")
endif()
option(WARPFOLD_TEST_SITE "Test the site of the reference in headless Chromium, which takes minutes" OFF)
if(WARPFOLD_TEST_SITE AND Python3_FOUND)
  add_test(NAME site COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/check_site.py
    ${PROJECT_BINARY_DIR}/reference/html)
  # The test reference makes the site anew.
  set_tests_properties(site PROPERTIES DEPENDS reference SKIP_RETURN_CODE 77)
endif()

# The formatter differs from version to version: only the one that CI installs is asked.
find_program(WARPFOLD_CLANG_FORMAT clang-format-14)
if(WARPFOLD_CLANG_FORMAT)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/include/*.cuh
    ${PROJECT_SOURCE_DIR}/lib/*.[ch]* ${PROJECT_SOURCE_DIR}/bench/*.[ch]*
    ${PROJECT_SOURCE_DIR}/test/*.[ch]* ${PROJECT_SOURCE_DIR}/docs/examples/*.[ch]*)
  list(FILTER sources INCLUDE REGEX "\\.(hpp|cpp|cuh|cu)$")
  add_test(NAME format COMMAND ${WARPFOLD_CLANG_FORMAT} --dry-run -Werror ${sources})
else()
  warpfold_skipped_test(format clang-format-14)
endif()
