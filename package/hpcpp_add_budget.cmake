# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcpp_add_budget(<target> NP <processes> FILE <budget>.json [ARGUMENTS <argument> ..] [OPTIONS <option> ..])
#
# Adds two tests for ctest: <target>.budget.run runs the program of the target on NP processes with a profile, and
# <target>.budget compares what each line sends with the budget (hpcc bill --budget). ARGUMENTS are those of the
# program, OPTIONS those of hpcc run, --transport=node say.
function(hpcpp_add_budget target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NP;FILE" "ARGUMENTS;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hpcpp_add_budget: there is no target '${target}'")
  elseif(NOT arg_NP MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "hpcpp_add_budget: NP is the number of processes, not '${arg_NP}'")
  elseif(NOT arg_FILE)
    message(FATAL_ERROR "hpcpp_add_budget: FILE names a budget, or the profile of a run that keeps it")
  elseif(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hpcpp_add_budget: unexpected '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  get_filename_component(budget ${arg_FILE} ABSOLUTE)
  set(profile ${CMAKE_CURRENT_BINARY_DIR}/${target}.budget.run.json)
  add_test(NAME ${target}.budget.run
    COMMAND hpcpp::hpcc run -n ${arg_NP} --profile=${profile} ${arg_OPTIONS} $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
  add_test(NAME ${target}.budget COMMAND hpcpp::hpcc bill ${profile} --budget ${budget})
  set_tests_properties(${target}.budget.run PROPERTIES FIXTURES_SETUP ${target}.budget.run PROCESSORS ${arg_NP})
  set_tests_properties(${target}.budget PROPERTIES FIXTURES_REQUIRED ${target}.budget.run)
endfunction()
