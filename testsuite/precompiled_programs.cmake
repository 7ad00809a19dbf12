# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs of tests that hpcc compiles: hpcc keeps <hpspmd> precompiled for them (translator/driver/precompiled.hpp).
option(HPCPP_PRECOMPILED_PROGRAMS "programs of tests are compiled with precompiled headers, where the compiler is GCC" ON)
set(precompiledFolder)
set(withPrecompiled)  # before a command of the build
if(HPCPP_PRECOMPILED_PROGRAMS)
  set(precompiledFolder ${PROJECT_BINARY_DIR}/precompiled)
  set(withPrecompiled ${CMAKE_COMMAND} -E env HPCC_PRECOMPILED=${precompiledFolder})
endif()

# For these tests; without arguments, for all of this folder so far.
function(precompile_programs)
  set(tests ${ARGN})
  if(NOT tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
  endif()
  if(tests)
    set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT_MODIFICATION HPCC_PRECOMPILED=set:${precompiledFolder})
  endif()
endfunction()
