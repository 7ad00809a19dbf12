# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A file of this project takes half of its compile time for headers. Those that most files of a target include are precompiled,
# the standard ones and those that the target names. ccache needs to be told that it may use them.
set(HPCPP_STANDARD_HEADERS <algorithm> <array> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <map> <memory> <mutex> <optional>
  <set> <span> <string> <string_view> <unordered_map> <utility> <vector>)
# What programs of the library include, but for what <hpspmd> says of the file itself.
set(HPCPP_LIBRARY_HEADERS <adlib/adlib.hpp> <hpspmd/create.hpp> <hpspmd/overall.hpp> <hpspmd/print.hpp> <hpspmd/section.hpp>)
set(precompiles OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(precompiles ON)
endif()
option(HPCPP_PRECOMPILED_HEADERS "precompiled standard headers in the build of this project" ${precompiles})
if(HPCPP_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# precompile_standard_headers(<first> <target> .. [HEADERS <header> ..])
# Targets that are compiled with the same flags: the first precompiles for all of them.
function(precompile_standard_headers first)
  precompile_these_headers("${HPCPP_STANDARD_HEADERS}" ${ARGV})
endfunction()

# The same for programs of GoogleTest.
function(precompile_test_headers first)
  precompile_these_headers("${HPCPP_STANDARD_HEADERS};<gtest/gtest.h>" ${ARGV})
endfunction()

function(precompile_these_headers headers)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" HEADERS)
  set(targets ${arg_UNPARSED_ARGUMENTS})
  if(HPCPP_PRECOMPILED_HEADERS)
    foreach(target ${targets})  # the false alarms that -Wno-restrict is for come as these, too
      target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds
        $<$<STREQUAL:${CMAKE_CXX_COMPILER_ID},GNU>:-fpch-preprocess>)
    endforeach()
    list(POP_FRONT targets first)
    target_precompile_headers(${first} PRIVATE ${headers} ${arg_HEADERS})
    foreach(target ${targets})
      target_precompile_headers(${target} REUSE_FROM ${first})
    endforeach()
  endif()
endfunction()
