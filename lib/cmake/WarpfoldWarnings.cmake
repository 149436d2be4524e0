# Warnings for warpfold's own sources; link it PRIVATE, so that no consumer inherits them.
add_library(warpfold_warnings INTERFACE)
target_compile_options(warpfold_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>
  # Functions of the host alone, called in a kernel, return anything: errors in every build.
  $<$<COMPILE_LANGUAGE:CUDA>:--diag-error=20011,20013,20014,20015>)
if(WARPFOLD_WARNINGS_AS_ERRORS)
  target_compile_options(warpfold_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()
