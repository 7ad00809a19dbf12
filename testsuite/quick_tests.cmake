# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests by the time they take. Besides the name of its folder a test has the label
#   quick   if it is run at every change: all of them together take less than a minute (./hpc test --quick);
#   slow    if only ./hpc test --all runs it;
#   longest if that does not run it either, as it takes many minutes (./hpc test --fuzz, --longest).
# Programs that only such tests run are built by the targets slow_programs and longest_programs.
add_custom_target(slow_programs)
add_custom_target(longest_programs)
include(GoogleTest)

# The tests of an executable of GoogleTest, each a test of its own, with the folder's label and `quick`. Further
# arguments are those of gtest_discover_tests.
function(discover_quick_tests executable)
  gtest_discover_tests(${executable} ${ARGN})
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  # gtest_discover_tests cannot hand on a list of labels.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${executable}_labels.cmake)
  file(WRITE ${labels} "set_tests_properties(\${${executable}_TESTS} PROPERTIES LABELS \"${folder};quick\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()
