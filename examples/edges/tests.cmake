# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# testsuite/models/methods_marked.hpcpp has marked loops on other numbers of processes.
set(counts 1 3)
