#!/bin/sh
# bench/devices/elsewhere.sh ARCHIVE ["1 2"]: tests and measures on a machine with GPUs that needs no hpcc and no cmake but mpicxx,
# mpiexec and nvcc what bench/devices/prepare.sh wrote. Run it from the root of the source tree. Each program of ARCHIVE named
# *.test.cpp is to print on GPUs what it prints on the host, on each number of processes (each has a GPU, as far as they go);
# also as `devices` and under schedules, by all GPUs of each process and the host; then devices.cpp is measured, on one process beside CUDA by hand, and
# shares.cpp and schedules.cpp, which have all GPUs, q3.cpp and patterns.cpp (as it is, and with a sixteenth of all elements), transfers.cpp and the programs of
# bench/javagrande on one process. PARTS="patterns transfers" does no more than that, in that order; the parts are programs schedules shares q3 patterns
# transfers fits javagrande relaxation devices overlap seeds (seeds.py) several exchange cluster; overlap is Jacobi and red-black while ghost cells travel, always, never
# and where a trial finds that it pays, several is Jacobi by hand on 1, 2, 4 GPUs of one process, exchange
# compares processes under MPI with those that are joined without it, cluster wants two GPUs (bench/marked/cluster.py). Writes $WORK (default build/bench_devices).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ -x package/build_library.sh ] && [ -f "${1:-}" ] || { echo "run it in the root of the source tree, with an archive" >&2; exit 1; }
archive=$1
processes=${2:-1 2}
parts=${PARTS:-programs schedules shares q3 patterns transfers javagrande devices}
work=${WORK:-build/bench_devices}
export MPICXX="${MPICXX:-mpicxx}" MPIEXEC="${MPIEXEC:-mpiexec}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 XDG_CACHE_HOME="$PWD/$work/cache" HPSPMD_LOG=1
mkdir -p "$work/cache"
tar xzf "$archive" -C "$work"
nvidia-smi topo -m || true
[ -s "$work/librivals.so" ] || (cd bench/devices && nvcc -O3 -arch=native -std=c++17 --compiler-options -fPIC -shared rivals.cu -o "$OLDPWD/$work/librivals.so" -lcublas) &
case " $parts " in *" several "*) nvcc -O3 -arch=native -std=c++17 bench/devices/several.cu -o "$work/several" & ;; esac
package/build_library.sh "$work" >/dev/null
export work
sources=
for part in $parts; do
    case $part in
    programs) sources="$sources $(ls "$work"/*.test.cpp)" ;;
    schedules) sources="$sources $work/shared.test.cpp $work/schedules.cpp" ;;
    javagrande) sources="$sources $(ls "$work"/*.device.cpp "$work"/*.shared.cpp)" ;;
    seeds) sources="$sources $(ls "$work"/*.device.cpp) $work/cluster.cpp $work/patterns.cpp" ;;
    several) ;;
    overlap) sources="$sources $work/devices.cpp" ;;
    exchange)
        cp bench/exchange/joined.cpp "$work/exchange.cpp"
        sources="$sources $work/exchange.cpp"
        ;;
    *) sources="$sources $work/$part.cpp" ;;
    esac
done
forms=$work/forms
mkdir -p "$forms"
case " $parts " in *" seeds "*)
    (cd bench/devices && nvcc -O3 -arch=native -std=c++17 -I../javagrande seeds.cu -o "$OLDPWD/$forms/seeds" -lcublas) &
    (cd bench/devices && nvcc -O3 -arch=native -std=c++17 --fmad=false -I../javagrande seeds.cu -o "$OLDPWD/$forms/seeds.same_bits" -lcublas) &
    ;;
esac
case " $parts " in *" cluster "*)
    "$MPICXX" -std=c++17 -O3 -march=native -ffp-contract=off -Wno-attributes -x c++ bench/marked/marked.hpcpp -o "$forms/sequential" &
    ;;
esac
case " $parts " in *" javagrande "*)
    jg=bench/javagrande
    for program in crypt lufact series sor sparsematmult; do
        "$MPICXX" -std=c++17 -O3 -march=native -ffp-contract=off -Wno-attributes -I$jg -x c++ $jg/$program.hpcpp -o "$forms/$program.sequential" &
        "$MPICXX" -std=c++17 -O3 -march=native -ffp-contract=off -I$jg -pthread $jg/${program}_threads.cpp -o "$forms/$program.threads" &
    done
    ;;
esac
echo $sources | tr ' ' '\n' | sort -u | xargs -P "$(nproc)" -I{} sh -c '"$MPICXX" -std=c++17 -O3 -fopenmp -march=native -ffp-contract=off -DHPSPMD_DEVICE -Iinclude/umbrella -Iinclude \
    -iquote bench/devices -iquote bench/javagrande -iquote bench/q3 -iquote bench/exchange "{}" "$work/library.a" -ldl -o "{}.run" || echo "{} does not compile"'
wait
echo "built"

# programs: each on the host, then ${AT_ONCE:-1} at a time on GPUs
export oneProgram='program=$1 n=$2 answer=$work/answers/$(basename "$program").$n
    if HPSPMD_TARGET=cuda timeout 60 "$MPIEXEC" -n "$n" "$program" >"$answer.gpu" 2>"$answer.log" && cmp -s "$answer.host" "$answer.gpu"; then
        echo "$program on $n: right; $(grep -c " launches of " "$answer.log") nests, $(grep -o "[0-9]* messages from device to device" "$answer.log" | head -1)"
    else
        echo "$program on $n: WRONG"
        diff "$answer.host" "$answer.gpu" | head -5
        tail -5 "$answer.log"
    fi'
programs() {
    mkdir -p "$work/answers"
    for n in $processes; do
        ls "$work"/*.test.cpp.run | xargs -P 4 -I{} sh -c '"$MPIEXEC" -n "$2" "$1" >"$work/answers/$(basename "$1").$2.host" 2>/dev/null || echo "$1 on $2: fails on the host"' host {} "$n"
        ls "$work"/*.test.cpp.run | xargs -P "${AT_ONCE:-1}" -I{} sh -c "$oneProgram" one {} "$n"
    done
}

schedules() {
    for target in devices devices:70 devices:dynamic:16 devices:guided; do
        "$work/shared.test.cpp.run" >"$work/host.txt" 2>/dev/null
        if HPSPMD_TARGET=$target! "$work/shared.test.cpp.run" >"$work/gpu.txt" 2>"$work/gpu.log" && cmp -s "$work/host.txt" "$work/gpu.txt"; then
            echo "shared as $target: right, on $(grep -o 'on cuda:[0-9]*' "$work/gpu.log" | sort -u | tr '\n' ' ')"
        else
            echo "shared as $target: WRONG"
            tail -5 "$work/gpu.log"
        fi
    done
    for extent in 4096 16384; do
        HPSPMD_TARGET=devices timeout 100 "$work/schedules.cpp.run" "$extent" 2>"$work/schedules.log" || tail -5 "$work/schedules.log"
    done
}

q3() {
    for students in 2551 25510 255100; do
        python3 -c "import ctypes, sys
q3 = ctypes.CDLL(sys.argv[1]).q3
q3.restype, q3.argtypes = ctypes.c_double, [ctypes.c_long, ctypes.c_int, ctypes.c_int, ctypes.c_int]
print('by cuBLAS, us: copied %.1f, stored at home %.1f, without adding %.1f' % tuple(1e3 * q3($students, how, 200, 11) for how in (0, 1, 2)))" "$PWD/$work/librivals.so"
        HPSPMD_TARGET=cuda! timeout 100 "$work/q3.cpp.run" "$students" 200 2>"$work/q3.log" || tail -5 "$work/q3.log"
    done
}

shares() {
    for extent in "4096 100" "16384 20"; do
        HPSPMD_TARGET=devices timeout 100 "$work/shares.cpp.run" $extent 2>"$work/shares.log" || tail -5 "$work/shares.log"
    done
}

patterns() {
    for divisor in 1 16; do
        HPSPMD_TARGET=cuda! timeout 200 "$work/patterns.cpp.run" $divisor 2>"$work/patterns.log" || tail -5 "$work/patterns.log"
    done
}

transfers() {
    HPSPMD_TARGET=cuda! timeout 100 "$work/transfers.cpp.run" "$work/librivals.so" 2>"$work/transfers.log" || tail -5 "$work/transfers.log"
    grep 'arrays of' "$work/transfers.log" || true
}

fits() {
    HPSPMD_TARGET=cuda! timeout 200 "$work/fits.cpp.run" "$work/librivals.so" 2>"$work/fits.log" || tail -5 "$work/fits.log"
    grep 'launches of' "$work/fits.log" || true
}

javagrande() {
    for source in "$work"/*.device.cpp "$work"/*.shared.cpp; do
        cp "$source.run" "$forms/$(basename "$source" .cpp)"
    done
    python3 bench/javagrande/measure.py - - "${CLASS:-A}" 5 --built "$forms" --target cuda! --counts "${THREADS:-$(nproc)}" || true
}

seeds() {
    for program in crypt series sor sparsematmult; do cp "$work/$program.device.cpp.run" "$forms/$program.device"; done
    cp "$work/cluster.cpp.run" "$forms/cluster"
    for size in ${CLASS:-A B C}; do
        echo "class $size"
        python3 bench/devices/seeds.py "$forms" "$size" "${RUNS:-3}" || true
    done
    for divisor in 1 16; do
        env -u HPSPMD_LOG HPSPMD_TARGET=cuda! timeout 100 "$work/patterns.cpp.run" $divisor 2>"$work/patterns.log" || tail -5 "$work/patterns.log"
        timeout 60 "$forms/seeds" patterns $divisor || true
        echo "by hand without contraction, as on the host:"
        timeout 60 "$forms/seeds.same_bits" patterns $divisor || true
        echo "by hand, pinned:"
        timeout 60 "$forms/seeds" --pinned patterns $divisor || true
    done
}

devices() {
    for n in $processes; do
        echo "$n processes"
        rivals=-
        [ "$n" -gt 1 ] || rivals="$work/librivals.so"
        HPSPMD_TARGET=cuda! timeout "${LIMIT:-150}" "$MPIEXEC" -n "$n" "$work/devices.cpp.run" "$rivals" 2>"$work/measured.$n.log" || tail -5 "$work/measured.$n.log"
        grep 'messages from\|^hpspmd: process.*cuda:.*NVRTC' "$work/measured.$n.log" || true
    done
}

overlap() {
    for n in $processes; do
        for how in never always trial never always trial; do
            echo "$n processes, $how"
            HPSPMD_OVERLAP=$how HPSPMD_TARGET=cuda! timeout 100 "$MPIEXEC" -n "$n" "$work/devices.cpp.run" - 1 relaxation 2>"$work/overlap.log" || tail -5 "$work/overlap.log"
            grep 'under way: \|travelled' "$work/overlap.log" || true
        done
    done
}

several() {
    timeout 100 "$work/several" || true
}

# Halo and reductions of 2 processes, in turns.
exchange() {
    for round in 1 2 3 4 5 6 7 8 9; do
        echo "MPI: $("$MPIEXEC" -n 2 "$work/exchange.cpp.run" 512)"
        echo "without: $(python3 bench/exchange/joined.py 2 "$work/exchange.cpp.run" 512)"
    done
}

relaxation() {
    for target in threads cuda! devices! devices:98 devices:95 devices:grow; do
        echo "$target: $(HPSPMD_TARGET=$target timeout 60 "$work/relaxation.cpp.run" 9000 3 2>"$work/relaxation.log" || tail -3 "$work/relaxation.log")"
    done
}

cluster() {
    cp "$work/cluster.cpp.run" "$forms/cluster"
    python3 bench/marked/cluster.py - - --kind cuda --runs 5 --built "$forms" --launch "$MPIEXEC -n" || true
}

for part in $parts; do
    echo "-- $part"
    $part
done
