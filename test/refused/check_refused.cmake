# Fails unless nvcc refuses each line of a source that says which words its error has:
# "// refused: words". Errors of a first kind hide those of a second, which are compiled with the
# macro WARPFOLD_TEST_SECOND.
file(STRINGS ${source} lines REGEX "// refused: ")
set(all)
foreach(second "" -DWARPFOLD_TEST_SECOND)
  execute_process(COMMAND ${nvcc} -std=c++20 -arch=sm_90 ${second} -I${include} -ptx ${source} -o ${output}
    RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_VARIABLE said)
  if(status EQUAL 0)
    message(FATAL_ERROR "It compiles.")
  endif()
  string(APPEND all "${errors}${said}")
endforeach()
string(REGEX MATCHALL "[^\n]*error: [^\n]*" errors "${all}")
list(LENGTH lines count)
message("${count} lines to refuse")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ".*// refused: " "" words "${line}")
  string(FIND "${errors}" "${words}" found)
  if(found EQUAL -1)
    message(SEND_ERROR "Not refused: ${line}")
  endif()
endforeach()
