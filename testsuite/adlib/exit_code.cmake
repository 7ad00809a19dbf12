# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs COMMAND (a list) and demands its exit status CODE and a message that contains TEXT.
execute_process(COMMAND ${COMMAND} OUTPUT_QUIET ERROR_VARIABLE text RESULT_VARIABLE status TIMEOUT 60)
string(FIND "${text}" "${TEXT}" found)
if(NOT status STREQUAL "${CODE}" OR found EQUAL -1)
  message(FATAL_ERROR "exit status ${status}, message:\n${text}")
endif()
