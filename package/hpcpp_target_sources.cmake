# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcpp_target_sources(<target> <source>.hpcpp .. [OPTIONS <option> ..])
#
# Adds sources in HPspmd C++ to a target. hpcc translates each of them anew when it, or a .hph header that it
# includes, has changed; headers are looked for in the target's include directories. The target compiles the C++
# text like its other sources, and is linked with hpcpp::adlib. OPTIONS are those of hpcc, -O3 say.
function(hpcpp_target_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" OPTIONS)
  set(folders $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${path})
    string(REPLACE "../" "__/" name ${name})
    set(text ${CMAKE_CURRENT_BINARY_DIR}/hpcpp/${target}/${name}.cpp)
    get_filename_component(folder ${text} DIRECTORY)
    add_custom_command(
      OUTPUT ${text}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND hpcpp::hpcc --emit=cpp "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" ${arg_OPTIONS} ${path}
              -o ${text} --headers=${text}.headers -MD -MF ${text}.d
      DEPENDS ${path} hpcpp::hpcc
      DEPFILE ${text}.d
      COMMENT "Translating ${name}"
      COMMAND_EXPAND_LISTS
      VERBATIM)
    target_sources(${target} PRIVATE ${text})
  endforeach()
  target_link_libraries(${target} PRIVATE hpcpp::adlib)
endfunction()
