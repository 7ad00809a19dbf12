# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Many small exchanges: not with each number of processes (hpcc test has them). plain.cpp is sequential.
set(counts 1 6)
set(plainCounts 1)
