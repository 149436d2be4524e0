# Runs many_processes (-Dprogram) as a rank that waits in vain, and as two at the same time. Without GPUs
# these find each other's file and no more; with -Dgpus=ON that counts as skipped.
set(file ${CMAKE_CURRENT_BINARY_DIR}/many_processes${gpus}.group)
file(REMOVE ${file})
set(failed "should have failed in time and said why: ")

execute_process(COMMAND ${program} 1 2 ${file} 1 TIMEOUT 20
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 1 OR NOT said STREQUAL "many_processes: no ${file} in time\n")
  message(FATAL_ERROR "${failed}${status}: ${said}")
endif()

# A pipeline, so that they run at the same time; rank 1 prints to standard error.
execute_process(
  COMMAND sh -c "exec \"$0\" \"$@\" >&2" ${program} 1 2 ${file} 60
  COMMAND ${program} 0 2 ${file} 60
  TIMEOUT 120 RESULTS_VARIABLE statuses OUTPUT_VARIABLE first ERROR_VARIABLE second)
message("${first}${second}")
if(statuses STREQUAL "77;77")
  foreach(rank 0 1)
    if(NOT "${first}${second}" MATCHES "rank ${rank} has the group's id")
      message(FATAL_ERROR "rank ${rank} has not")
    endif()
  endforeach()
  if(gpus)
    message("skipped: fewer than two GPUs")
  endif()
elseif(NOT statuses STREQUAL "0;0" OR NOT gpus)
  message(FATAL_ERROR "exit statuses ${statuses}")
else()
  execute_process(COMMAND ${program} 0 2 ${file} 2 TIMEOUT 60
    RESULT_VARIABLE status ERROR_VARIABLE said)
  if(NOT status EQUAL 1 OR NOT said MATCHES "waited 2000 ms for the other ranks")
    message(FATAL_ERROR "a rank whom nobody joins ${failed}${status}: ${said}")
  endif()
  foreach(rank 0 1)
    if(NOT "${first}${second}" MATCHES "rank ${rank} of 2 on GPU ${rank}: 500000 numbers here")
      message(FATAL_ERROR "rank ${rank} has not")
    endif()
  endforeach()
endif()

# A file of another group.
file(WRITE ${file} "")
execute_process(COMMAND ${program} 0 2 ${file} 1 TIMEOUT 20
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 1 OR NOT said MATCHES "is there: of another group")
  message(FATAL_ERROR "${failed}${status}: ${said}")
endif()
