# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs one example and compares what it prints with the expected answer, byte for byte.
# Variables: LAUNCHER (mpiexec), PROCESSES, PROGRAM, FOLDER, and CASE, empty or ".name". The answer is
# in expected<CASE>.txt, or in expected.<n>.txt where it depends on the number of processes; the
# arguments, if any, are in args<CASE>; OUTPUT in it is a name for files that the program writes.
set(expectedFile ${FOLDER}/expected${CASE}.txt)
if(NOT EXISTS ${expectedFile})
  set(expectedFile ${FOLDER}/expected.${PROCESSES}.txt)
endif()
file(READ ${expectedFile} expected)

set(arguments)
if(EXISTS ${FOLDER}/args${CASE})
  file(READ ${FOLDER}/args${CASE} text)
  string(REPLACE OUTPUT ${PROGRAM}.${PROCESSES} text "${text}")
  separate_arguments(arguments UNIX_COMMAND "${text}")
endif()

execute_process(COMMAND ${LAUNCHER} -n ${PROCESSES} ${PROGRAM} ${arguments}
                WORKING_DIRECTORY ${FOLDER}
                OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "exit status ${result}\n${output}${errors}")
endif()
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "expected (${expectedFile}):\n${expected}\nbut the program printed:\n${output}${errors}")
endif()
