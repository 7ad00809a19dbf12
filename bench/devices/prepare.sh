#!/bin/sh
# bench/devices/prepare.sh HPCC ARCHIVE: writes what hpcc makes of bench/devices and of programs and examples that print something,
# for bench/devices/elsewhere.sh.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
hpcc=$1
archive=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
emit() { "$hpcc" -O3 --device ${3:-} -P --emit=cpp "$1" >"$folder/$2"; }
emit bench/devices/devices.hpcpp devices.cpp
emit bench/devices/shares.hpcpp shares.cpp -fopenmp
for program in many_nests objects complex_numbers opencl_nests functions kept products ghosts links patterns reductions shared; do
    emit testsuite/devices/programs/$program.hpcpp $program.test.cpp
done
for example in jacobi_swap black_scholes diffusion3d kmeans laplace_shift lu multigrid nbody red_black; do
    emit examples/$example/$example.hpcpp $example.test.cpp
done
tar czf "$archive" -C "$folder" .
