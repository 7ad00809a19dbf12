# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D source=.. -D build=.. -D clang=.. -D generator=.. -D launcher=.. -D cores=.. -D targets=..
#       -P build.cmake
# Builds fuzzers, and the translator inside them, with sanitizers.
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${generator} -DHPCPP_FUZZERS=ON -DCMAKE_BUILD_TYPE=None
          -DCMAKE_CXX_COMPILER=${clang} -DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}
  RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
  message(FATAL_ERROR "the fuzzers cannot be configured")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${build} --parallel ${cores} --target ${targets}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the fuzzers cannot be built")
endif()
