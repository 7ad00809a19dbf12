# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# testsuite/models has patterns on other numbers of processes.
set(counts 1 4)
