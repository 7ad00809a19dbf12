#!/bin/sh
# bench/devices/prepare.sh HPCC ARCHIVE: writes what hpcc makes of bench/devices, of bench/javagrande, and of programs and examples
# that print something, for bench/devices/elsewhere.sh.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
hpcc=$1
archive=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
emit() { "$hpcc" -O3 --device ${3:-} -P --emit=cpp "$1" >"$folder/$2"; }
emit bench/devices/devices.hpcpp devices.cpp
emit bench/devices/shares.hpcpp shares.cpp -fopenmp
emit bench/devices/patterns.hpcpp patterns.cpp -fopenmp
emit bench/devices/transfers.hpcpp transfers.cpp -fopenmp
emit bench/devices/fits.hpcpp fits.cpp -fopenmp
emit bench/with_loops/relaxation.hpcpp relaxation.cpp -fopenmp
emit bench/marked/cluster.hpcpp cluster.cpp "-I bench/devices -fopenmp -ffp-contract=off -Wno-HP2912"
for program in crypt lufact series sor sparsematmult; do
    emit bench/javagrande/gpu/$program.hpcpp $program.device.cpp "-fopenmp -ffp-contract=off -I bench/javagrande -I bench/devices"
    emit bench/javagrande/$program.hpcpp $program.shared.cpp "-fopenmp -ffp-contract=off"
done
emit bench/devices/schedules.hpcpp schedules.cpp -fopenmp
emit bench/q3/q3.hpcpp q3.cpp
for program in many_nests indirect objects complex_numbers opencl_nests functions kept products ghosts links overlapped patterns captured reductions shared templates moved class_templates own_class read_at_home with_loops on_gpu in_place cyclic called_templates class_operators; do
    emit testsuite/devices/programs/$program.hpcpp $program.test.cpp
done
for example in jacobi_swap black_scholes diffusion3d kmeans laplace_shift lu multigrid nbody red_black; do
    emit examples/$example/$example.hpcpp $example.test.cpp
done
tar czf "$archive" -C "$folder" .
