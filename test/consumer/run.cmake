# With -Dinstall=DIR: installs the library built there into an empty folder, and builds and runs the
# consumer against it. With -Dsources=DIR: configures and generates the consumer with the library as
# a part of it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -G ${generator}
    -DCMAKE_CXX_COMPILER=${cxx} -DCMAKE_BUILD_TYPE=Release)

if(sources)
  file(REMOVE_RECURSE ${build}/sources)
  run(${configure} -B ${build}/sources -Dsources=${sources} -DCMAKE_CUDA_COMPILER=${cuda})
else()
  file(REMOVE_RECURSE ${build}/prefix ${build}/package)
  run(${CMAKE_COMMAND} --install ${install} --prefix ${build}/prefix)
  run(${configure} -B ${build}/package -DCMAKE_PREFIX_PATH=${build}/prefix)
  run(${CMAKE_COMMAND} --build ${build}/package)
  run(${build}/package/consumer)
endif()
