# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs COMMAND (a list) and compares its standard output with the file EXPECTED.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE output RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "exit status ${status}, output:\n${output}")
endif()
