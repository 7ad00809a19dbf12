# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcpp_add_test(<name> TARGET <target> NP <processes> .. [INVARIANT] [SUMS <near>] [ARGUMENTS <argument> ..]
#                [OPTIONS <option> ..])
#
# Adds tests for ctest: <name>.<processes> runs the program of the target on so many processes, for each number of NP.
# INVARIANT adds one test <name> instead, hpcc test, which fails at the first statement whose result depends on the number;
# SUMS near lets floating-point numbers differ in their last digits. ARGUMENTS are those of the program, OPTIONS those of
# hpcc run, or of hpcc test.
function(hpcpp_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INVARIANT" "TARGET;SUMS" "NP;ARGUMENTS;OPTIONS")
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "hpcpp_add_test: there is no target '${arg_TARGET}'")
  elseif(NOT arg_NP MATCHES "^[1-9][0-9]*(;[1-9][0-9]*)*$")
    message(FATAL_ERROR "hpcpp_add_test: NP are numbers of processes, not '${arg_NP}'")
  elseif(arg_SUMS AND NOT arg_INVARIANT)
    message(FATAL_ERROR "hpcpp_add_test: SUMS needs INVARIANT")
  elseif(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hpcpp_add_test: unexpected '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_INVARIANT)
    foreach(processes ${arg_NP})
      add_test(NAME ${name}.${processes}
        COMMAND hpcpp::hpcc run -n ${processes} ${arg_OPTIONS} $<TARGET_FILE:${arg_TARGET}> ${arg_ARGUMENTS})
      set_tests_properties(${name}.${processes} PROPERTIES PROCESSORS ${processes})
    endforeach()
    return()
  endif()
  list(JOIN arg_NP "," numbers)
  list(SORT arg_NP COMPARE NATURAL ORDER DESCENDING)
  list(GET arg_NP 0 most)
  if(arg_SUMS)
    list(APPEND arg_OPTIONS --sums ${arg_SUMS})
  endif()
  add_test(NAME ${name}
    COMMAND hpcpp::hpcc test $<TARGET_FILE:${arg_TARGET}> -n ${numbers} ${arg_OPTIONS} -- ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES PROCESSORS ${most})
endfunction()
