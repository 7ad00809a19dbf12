# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A file of this project takes a third of its compile time for the standard headers. They are precompiled, unless ccache
# compiles, which is faster still and would need settings of its own for them.
set(HPCPP_STANDARD_HEADERS <algorithm> <array> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <map> <memory> <optional>
  <set> <string> <string_view> <utility> <vector>)
set(precompiles ON)
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(precompiles OFF)
endif()
option(HPCPP_PRECOMPILED_HEADERS "precompiled standard headers in the build of this project" ${precompiles})

# Targets that are compiled with the same flags: the first precompiles for all of them.
function(precompile_standard_headers first)
  if(HPCPP_PRECOMPILED_HEADERS)
    foreach(target ${first} ${ARGN})  # the false alarms that -Wno-restrict is for come as these, too
      target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
    endforeach()
    target_precompile_headers(${first} PRIVATE ${HPCPP_STANDARD_HEADERS})
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM ${first})
    endforeach()
  endif()
endfunction()
