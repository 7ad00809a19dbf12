# Runs one example and compares what it prints with the expected answer, byte for byte.
# Variables: LAUNCHER (mpiexec), PROCESSES, PROGRAM, FOLDER (args, expected.<n>.txt or expected.txt)
set(expectedFile ${FOLDER}/expected.${PROCESSES}.txt)
if(NOT EXISTS ${expectedFile})
  set(expectedFile ${FOLDER}/expected.txt)
endif()
file(READ ${expectedFile} expected)

set(arguments)
if(EXISTS ${FOLDER}/args)
  file(READ ${FOLDER}/args text)
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
