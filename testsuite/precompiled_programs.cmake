# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs of tests that hpcc compiles: the headers of <hpspmd> are precompiled for them (precompiled_compiler.py).
find_package(Python3 COMPONENTS Interpreter)
option(HPCPP_PRECOMPILED_PROGRAMS "programs of tests are compiled with precompiled headers, where the compiler is GCC" ON)
set(precompiledCompiler ${PROJECT_BINARY_DIR}/testsuite/precompiled_compiler.py)
set(precompiledFolder ${PROJECT_BINARY_DIR}/testsuite/precompiled)

# What MPI's wrapper calls.
execute_process(COMMAND ${HPCPP_MPICXX} -show OUTPUT_VARIABLE shown ERROR_QUIET)
string(REGEX MATCH "^[^ \n]+" shown "${shown}")
set(backEnd)
if(shown)
  find_program(backEnd ${shown} NO_CACHE)
  execute_process(COMMAND ${backEnd} --version OUTPUT_VARIABLE version ERROR_QUIET)
endif()
# The wrappers take a path without spaces only. clang's precompiled headers are not GCC's.
if(NOT HPCPP_PRECOMPILED_PROGRAMS OR NOT Python3_FOUND OR NOT backEnd OR NOT version MATCHES "Free Software Foundation"
   OR precompiledCompiler MATCHES " ")
  set(precompiledCompiler)
else()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/precompiled_compiler.py ${precompiledCompiler} @ONLY)
endif()

# The environment of hpcc, and the same before a command of the build.
set(precompiledEnvironment)
set(withPrecompiled)
if(precompiledCompiler)
  set(precompiledEnvironment MPICH_CXX=${precompiledCompiler} OMPI_CXX=${precompiledCompiler} HPCPP_COMPILER=${backEnd}
    HPCPP_INCLUDE=${PROJECT_SOURCE_DIR}/include HPCPP_PRECOMPILED=${precompiledFolder})
  set(withPrecompiled ${CMAKE_COMMAND} -E env ${precompiledEnvironment})
endif()

# For these tests; without arguments, for all of this folder so far.
function(precompile_programs)
  set(tests ${ARGN})
  if(NOT tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
  endif()
  if(precompiledCompiler AND tests)
    set(settings ${precompiledEnvironment})
    list(TRANSFORM settings REPLACE "=" "=set:")
    set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${settings})
  endif()
endfunction()
