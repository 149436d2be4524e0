# Installs the built library into an empty folder, and builds and runs the consumer against it.
set(prefix ${build}/consumer/prefix)
file(REMOVE_RECURSE ${build}/consumer)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${source} -B ${build}/consumer/build -G ${generator}
    -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${build}/consumer/build)
run(${build}/consumer/build/consumer)
