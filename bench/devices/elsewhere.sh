#!/bin/sh
# bench/devices/elsewhere.sh ARCHIVE ["1 2"]: tests and measures on a machine with GPUs that needs no hpcc and no cmake but mpicxx,
# mpiexec and nvcc what bench/devices/prepare.sh wrote. Run it from the root of the source tree. Each program of ARCHIVE named
# *.test.cpp is to print on GPUs what it prints on the host, on each number of processes (each has a GPU, as far as they go);
# also as `devices`, by all GPUs of each process and the host; then devices.cpp is measured, on one process beside CUDA by hand, and
# shares.cpp on one process, which has all GPUs. Writes $WORK (default build/bench_devices).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ -x package/build_library.sh ] && [ -f "${1:-}" ] || { echo "run it in the root of the source tree, with an archive" >&2; exit 1; }
archive=$1
processes=${2:-1 2}
work=${WORK:-build/bench_devices}
export MPICXX="${MPICXX:-mpicxx}" MPIEXEC="${MPIEXEC:-mpiexec}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 XDG_CACHE_HOME="$PWD/$work/cache" HPSPMD_LOG=1
mkdir -p "$work/cache"
tar xzf "$archive" -C "$work"
nvidia-smi topo -m || true
(cd bench/devices && nvcc -O3 -arch=native -std=c++17 --compiler-options -fPIC -shared rivals.cu -o "$OLDPWD/$work/librivals.so" -lcublas) &
package/build_library.sh "$work" >/dev/null
export work
ls "$work"/*.cpp | xargs -P "$(nproc)" -I{} sh -c '"$MPICXX" -std=c++17 -O3 -fopenmp -march=native -ffp-contract=off -DHPSPMD_DEVICE -Iinclude/umbrella -Iinclude \
    -iquote bench/devices "{}" "$work/library.a" -ldl -o "{}.run" || echo "{} does not compile"'
wait
echo "built"
for program in "$work"/*.test.cpp.run; do
    for n in $processes; do
        "$MPIEXEC" -n "$n" "$program" >"$work/host.txt" 2>"$work/host.log" || echo "$program on $n: fails on the host"
        if HPSPMD_TARGET=cuda timeout 60 "$MPIEXEC" -n "$n" "$program" >"$work/gpu.txt" 2>"$work/gpu.log" && cmp -s "$work/host.txt" "$work/gpu.txt"; then
            echo "$program on $n: right; $(grep -c ' launches of ' "$work/gpu.log") nests, $(grep -o '[0-9]* messages from device to device' "$work/gpu.log" | head -1)"
        else
            echo "$program on $n: WRONG"
            diff "$work/host.txt" "$work/gpu.txt" | head -5
            tail -5 "$work/gpu.log"
        fi
    done
done
for target in devices devices:70; do
    "$work/shared.test.cpp.run" >"$work/host.txt" 2>/dev/null
    HPSPMD_TARGET=$target! "$work/shared.test.cpp.run" >"$work/gpu.txt" 2>"$work/gpu.log" && cmp -s "$work/host.txt" "$work/gpu.txt" &&
        echo "shared as $target: right, on $(grep -o 'on cuda:[0-9]*' "$work/gpu.log" | sort -u | tr '\n' ' ')" || { echo "shared as $target: WRONG"; tail -5 "$work/gpu.log"; }
done
echo "-- shares"
for extent in 4096 16384; do HPSPMD_TARGET=devices timeout 100 "$work/shares.cpp.run" "$extent" 2>"$work/shares.log" || tail -5 "$work/shares.log"; done
for n in $processes; do
    echo "-- $n processes"
    rivals=-
    [ "$n" -gt 1 ] || rivals="$work/librivals.so"
    HPSPMD_TARGET=cuda! timeout "${LIMIT:-150}" "$MPIEXEC" -n "$n" "$work/devices.cpp.run" "$rivals" 2>"$work/measured.$n.log" || tail -5 "$work/measured.$n.log"
    grep 'messages from\|^hpspmd: process.*cuda:.*NVRTC' "$work/measured.$n.log" || true
done
