# warpfold_kernel_texts(<source> [STANDARD <path> <name>...] HEADERS <name>...) writes a source with the texts of
# headers, for a compiler that a program calls: <name>s are looked for in lib and include, and a header of
# the standard library has the text at <path>.
function(warpfold_kernel_texts source)
  cmake_parse_arguments(PARSE_ARGV 1 texts "" "" "STANDARD;HEADERS")
  set(made "// Written by CMake.\n#include \"poisson/compiled/texts.hpp\"\n\n")
  string(APPEND made "namespace warpfold::inline v0::poisson::gpu_impl {\nnamespace {\n")
  list(POP_FRONT texts_STANDARD standard)
  set(rows)
  set(count 0)
  foreach(name ${standard} ${texts_HEADERS})
    set(header "${PROJECT_SOURCE_DIR}/lib/${name}")
    if(NOT EXISTS "${header}")
      set(header "${PROJECT_SOURCE_DIR}/include/${name}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
    file(READ "${header}" text)
    # That compiler does not look for a header beside the one that includes it.
    get_filename_component(folder ${name} DIRECTORY)
    string(REGEX REPLACE "#include \"([^/\"]+)\"" "#include \"${folder}/\\1\"" text "${text}")
    # Comments and indentation are not for it; lines keep their numbers.
    string(REGEX REPLACE "\n +" "\n" text "\n${text}")
    string(REGEX REPLACE "\n//[^\n]*" "\n" text "${text}")
    string(REGEX REPLACE " *///<[^\n]*" "" text "${text}")
    string(SUBSTRING "${text}" 1 -1 text)
    string(APPEND made "constexpr char text_${count}[] = R\"warpfold(${text})warpfold\";\n")
    string(APPEND rows "    {\"${name}\", text_${count}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  foreach(name ${texts_STANDARD})
    string(APPEND rows "    {\"${name}\", text_0},\n")
  endforeach()
  string(APPEND made "constexpr source_text all[] = {\n${rows}};\n} // namespace\n\n"
    "std::span<source_text const> kernel_headers() { return all; }\n"
    "} // namespace warpfold::inline v0::poisson::gpu_impl\n")
  file(WRITE "${source}.new" "${made}")
  file(COPY_FILE "${source}.new" "${source}" ONLY_IF_DIFFERENT)
endfunction()
