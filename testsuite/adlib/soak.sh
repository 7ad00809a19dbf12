#!/bin/sh
# soak.sh BUILD [MINUTES] [PROCESSES]: makes and drops everything that can be made, for an hour on 4 processes unless told
# otherwise, and fails if memory, open files, mappings or communicators grow by more than one in a hundred. Starts the build's
# own mpiexec unless MPIEXEC names another.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
mpiexec=${MPIEXEC:-$(sed -n 's/^HPCPP_MPIEXEC:FILEPATH=//p' "$build/CMakeCache.txt")}
exec nice -n 10 "$mpiexec" -n "${3:-4}" "$build/testsuite/adlib/adlib_soak" "$((${2:-60} * 60))"
