# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests under MPI; each is labelled with the name of the folder that adds it.

# What all tests under MPI have in common; further arguments are variables of the environment.
function(set_mpi_test_properties name timeout)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(environment HWLOC_COMPONENTS=-pci,-opencl ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${folder} TIMEOUT ${timeout} ENVIRONMENT "${environment}")
endfunction()

# A program on so many processes. Further arguments are the program's own.
function(add_mpi_test name processes program)
  add_test(NAME ${name} COMMAND ${HPCPP_MPIEXEC} -n ${processes} $<TARGET_FILE:${program}> ${ARGN})
  set_mpi_test_properties(${name} 240)
endfunction()

# The same joined by shared memory, without MPI.
function(add_node_test name processes program)
  add_test(NAME ${name} COMMAND hpcc run --transport=node -n ${processes} $<TARGET_FILE:${program}> ${ARGN})
  set_mpi_test_properties(${name} 240)
  set_tests_properties(${name} PROPERTIES PROCESSORS 2)
endfunction()

# How a job ends: <test>.cpp is a program of GoogleTest that launches jobs of <program>.cpp, which is linked
# with the library. It finds the launcher in MPIEXEC and the program in PROGRAM.
function(add_launching_test name test program library)
  add_executable(${program} ${program}.cpp)
  target_link_libraries(${program} PRIVATE ${library})
  add_executable(${test} ${test}.cpp)
  add_dependencies(${test} ${program})
  target_compile_definitions(${test} PRIVATE MPIEXEC="${HPCPP_MPIEXEC}" PROGRAM="$<TARGET_FILE:${program}>")
  target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR}/testsuite)
  target_link_libraries(${test} PRIVATE GTest::gtest_main Threads::Threads)
  add_test(NAME ${name} COMMAND ${test})
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set_tests_properties(${name} PROPERTIES LABELS ${folder} TIMEOUT 600)
endfunction()

# The same jobs joined by shared memory, but those that the filter leaves out.
function(add_node_launching_test name test filter)
  add_test(NAME ${name} COMMAND ${test} --gtest_filter=${filter})
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set_tests_properties(${name} PROPERTIES LABELS ${folder} TIMEOUT 600
    ENVIRONMENT "LAUNCHER=$<TARGET_FILE:hpcc> run --transport=node")
endfunction()
