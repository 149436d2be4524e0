# Components: static libraries, each with what it needs, installed and exported together.

# warpfold_component(<name> [SOURCES <source>...] [USES <target>...] [NEEDS <private target>...]
#                    [COMPRESSION <nvcc's mode, by default size>])
# makes the library warpfold_<name>, for others warpfold::<name>.
# warpfold_component(<name> OF <component>...) makes a name for several of them.
function(warpfold_component name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "COMPRESSION" "SOURCES;USES;NEEDS;OF")
  if(NOT part_COMPRESSION)
    set(part_COMPRESSION size)
  endif()
  set(target warpfold_${name})
  if(part_OF)
    add_library(${target} INTERFACE)
    list(TRANSFORM part_OF PREPEND warpfold_)
    target_link_libraries(${target} INTERFACE ${part_OF})
  else()
    add_library(${target} STATIC ${part_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
    target_link_libraries(${target}
      PUBLIC ${part_USES} PRIVATE ${part_NEEDS} $<BUILD_INTERFACE:warpfold_warnings>)
    # A product and a sum are rounded one by one, on the host as on the GPU: so results have the
    # same bits on both. Code for GPUs is compressed: archives take less than half the room.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
      $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=${part_COMPRESSION}>)
    # Of names that no link needs, a twelfth of the archives. Objects for a later optimisation of all
    # the program are nothing but names.
    get_target_property(is_optimised_later ${target} INTERPROCEDURAL_OPTIMIZATION)
    if(CMAKE_STRIP AND NOT is_optimised_later
       AND NOT "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}" MATCHES "-flto")
      add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND_EXPAND_LISTS COMMAND
        "$<$<CONFIG:Release,MinSizeRel>:${CMAKE_STRIP};--strip-unneeded;--remove-section=.comment;$<TARGET_FILE:${target}>>")
    endif()
  endif()
  add_library(warpfold::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(WARPFOLD_INSTALL)
    install(TARGETS ${target} EXPORT warpfold ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# warpfold_instances(<component> <header> <LIST> <type>...) adds a source for each type, which
# instantiates what the header's INSTANTIATE makes of the macro WARPFOLD_<LIST>_OF_<type>: objects of
# their own, so that a program links only those that it uses. Headers are most of what a source
# compiles: those of a half type are read for that type alone.
function(warpfold_instances name header list)
  set(include_half "#include <cuda_fp16.h>\n")
  set(include_bfloat16 "#include <cuda_bf16.h>\n")
  string(TOLOWER ${list} suffix)
  string(REGEX REPLACE "\\.cuh$" "_${suffix}.cu" source ${header})
  string(REGEX REPLACE "\\.hpp$" "_${suffix}.cpp" source ${source})
  set(files)
  foreach(type ${ARGN})
    string(REGEX REPLACE "\\.c" "_${type}.c" file ${CMAKE_CURRENT_BINARY_DIR}/instances/${source})
    file(CONFIGURE OUTPUT ${file} CONTENT
      "${include_${type}}#include \"${header}\"\nWARPFOLD_${list}_OF_${type}(INSTANTIATE)\n")
    list(APPEND files ${file})
  endforeach()
  target_sources(warpfold_${name} PRIVATE ${files})
  set(instances ${files} PARENT_SCOPE) # for their properties
endfunction()
