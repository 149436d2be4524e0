# Fails if the program, stripped, is larger than `bytes` where it is compiled for one GPU, or needs a
# library of the vendors, FFTW or NCCL at run time.
set(copy ${program}-stripped)
execute_process(COMMAND ${strip} -o ${copy} ${program} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${copy} size)
file(REMOVE ${copy})
execute_process(COMMAND ldd ${program} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
message("${program}: ${size} bytes, at most ${bytes}; it needs\n${needed}")
if(size GREATER bytes)
  message(SEND_ERROR "It is too large.")
endif()
if(needed MATCHES "cufft|curand|fftw|nccl|nvrtc")
  message(SEND_ERROR "It needs ${CMAKE_MATCH_0}.")
endif()
