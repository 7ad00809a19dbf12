#!/bin/sh
# bench/elsewhere.sh ARCHIVE ["1 2 4 8"] [rounds]: measures what bench/prepare wrote on a machine that needs no hpcc and no
# cmake but mpicxx and mpiexec. Run it from the root of the source tree. Rivals (plain, rows and best by hand with MPI) and
# ours (hpcc -O0 .. -O3, and -O3 without the checks at run time) in turn; prints and writes $WORK/table.txt (default
# build/bench_elsewhere): medians of `rounds` (default 5), microseconds per iteration, and best/ours and rows/ours at -O3; in
# the last column ours of -O3 -fopenmp as one process of np threads. First: from how many steps on threads are worth their
# start; last: what the library adds to communication. In the environment: ONLY="red_black prk" for some of it, LEVELS="O0
# O3" for some of the levels, of which O3 must be one, MPICXX and MPIEXEC. Only if named: thesis, the programs of tables 7.2
# to 7.13 as the thesis has them (hpcc -O0 and -O2, sequential C++, the C++ compiler's -O1), with what they are worth over
# sequential C++; styles, the spellings of bench/styles, as many families at once as there are cores for; profile, what one costs (20
# rounds are fitting); deblur of 12 million pixels; model, in $WORK/model.tar.gz what bench/model/compare.py --recorded
# compares; files, what checkpoints take in FOLDER and in /dev/shm, beside
# dd; patterns, beside the plain loop with OpenMP on two threads, and what a call costs; with_loops, a relaxation beside an
# `overall` nest; tuner, searches beside all numbers of processes, of which the largest is taken; large, with q3: 255100 students, too
# (11.5 GB).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
usage() { echo "bench/elsewhere.sh: $1; usage: bench/elsewhere.sh ARCHIVE [\"1 2 4 8\"] [rounds]" >&2; exit 1; }
# numbers TEXT: each word is a number from 1 on
numbers() { case " $1 " in *[!0-9\ ]* | *" 0"* | "  ") usage "'$1' is no number from 1 on" ;; esac; }
[ -x package/build_library.sh ] || usage "run it from the root of the source tree"
[ -f "${1:-}" ] || usage "there is no archive '${1:-}'"
archive=$1
processes=${2:-1 2 4 8}
rounds=${3:-5}
numbers "$processes"
numbers "$rounds"
work=${WORK:-build/bench_elsewhere}
only=${ONLY:-matmul_direct red_black jacobi diffusion q3 prk communication}
levels=${LEVELS:-O0 O1 O2 O3 O3-unchecked}
# What people live with has tables of its own.
rivals=
for name in $only; do case $name in profile | deblur | model | files | patterns | with_loops | tuner) ;; *) rivals=1 ;; esac; done
case " $levels " in *" O3 "*) ;; *) usage "O3 is not among the levels '$levels'" ;; esac
export MPICXX="${MPICXX:-mpicxx}" MPIEXEC="${MPIEXEC:-mpiexec}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "$work/bin"
tar xzf "$archive" -C "$work"
package/build_library.sh "$work"

flags="-std=c++17 -O3 -march=native -fopenmp-simd -falign-loops=32 -fno-math-errno"
# ours FOLDER PROGRAM LABEL [OPTIONS [NAME]]. It includes "../bench.hpp" and the like, so it is built
# as if beside its source; hpcc -O3 gives the reductions, too; programs of threads are linked with
# OpenMP.
ours() {
    case $3 in O3-threads) more="-DHPSPMD_REDUCTIONS -fopenmp" ;; O3*) more=-DHPSPMD_REDUCTIONS ;; *) more= ;; esac
    "$MPICXX" $flags $more ${4:-} -Iinclude/umbrella -Iinclude -iquote "bench/$1" "$work/$1/$2.$3.cpp" "$work/library.a" \
        -o "$work/bin/${5:-$2.$3}"
}
# withLibrary PROGRAM [options ..]: bench/PROGRAM, which uses the library without hpcc
withLibrary() {
    "$MPICXX" $flags -Iinclude/umbrella -Iinclude "bench/$1/$1.cpp" "$work/library.a" -o "$work/bin/$1" ${2:-}
}
# Of the thesis: folder:program:extent:iterations:the level that stands for what it measures
thesis="matmul_direct:matmul_direct:150:200:O1 red_black:without_halo:512:300:O2 red_black:red_black:512:300:O2
diffusion:diffusion:128:10:O2 q3:q3:2551:20:O2"
for name in $only; do
    case $name in
    prk)
        for kernel in nstream stencil transpose p2p; do
            ours prk $kernel O3
            "$MPICXX" $flags bench/prk/$kernel.cpp -o "$work/bin/$kernel.mpi"
        done
        continue ;;
    communication) for program in exchange operations remap; do withLibrary $program; done; continue ;;
    thesis)
        for run in $thesis; do
            set -- "$archive" $(echo "$run" | tr : ' ')
            ours "$2" "$3" O0 -O1 "$3.naive"
            ours "$2" "$3" "$6" -O1 "$3.optimized"
            alone=bench/$2/sequential.cpp
            [ -f "$alone" ] || alone=bench/$2/mpi.cpp
            "$MPICXX" $flags -O1 '-DKERNEL="plain.hpp"' "$alone" -o "$work/bin/$3.sequential"
        done
        continue ;;
    styles)
        for program in "$work"/styles/*.O3.cpp; do ours styles "$(basename "$program" .O3.cpp)" O3 & done
        wait
        continue ;;
    profile)
        ours profile paired O3
        continue ;;
    deblur | model | files | tuner) ours "$name" "$name" O3; continue ;;
    with_loops) ours with_loops relaxation O3; continue ;;
    patterns) withLibrary patterns -fopenmp; continue ;;
    large) continue ;;
    esac
    [ -f "$work/$name/$name.O3.cpp" ] || usage "'$name' is not in $archive"
    for form in plain rows best; do
        "$MPICXX" $flags "-DKERNEL=\"$form.hpp\"" "bench/$name/mpi.cpp" -o "$work/bin/$name.$form"
    done
    for level in $levels O3-threads; do ours "$name" "$name" "$level"; done
done
[ -z "$rivals" ] || withLibrary threads -fopenmp
echo "built"

# inThreads N PROGRAM ARGUMENTS..: one process, bound to no core
inThreads() {
    count=$1
    shift
    OMP_NUM_THREADS=$count OMPI_MCA_hwloc_base_binding_policy=none "$MPIEXEC" -n 1 "$@"
}
for n in $processes; do
    [ "$n" = 1 ] || [ -z "$rivals" ] || inThreads "$n" "$work/bin/threads" | tee -a "$work/table.txt"
done

median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# measure NAME EXTENT ITERATIONS
measure() {
    case " $only " in *" $1 "*) ;; *) return 0 ;; esac
    for n in $processes; do
        rm -f "$work"/time.*
        round=0
        while [ $round -lt "$rounds" ]; do
            for rival in plain rows best $levels; do
                "$MPIEXEC" -n "$n" "$work/bin/$1.$rival" "$2" "$3" >>"$work/time.$rival"
            done
            inThreads "$n" "$work/bin/$1.O3-threads" "$2" "$3" >>"$work/time.O3-threads"
            round=$((round + 1))
        done
        cat "$work"/time.* | awk -v name="$1 $2" 'NR == 1 { first = $2 } { d = $2 - first; if (d < 0) d = -d
            if (!(d <= 1e-9 * (first < 0 ? -first : first))) { print name ": answers differ: " first " and " $2; exit } }'
        for rival in plain rows best $levels O3-threads; do echo "$rival $(cut -d' ' -f1 "$work/time.$rival" | median)"; done |
            awk -v name="$1" -v extent="$2" -v n="$n" '
                { t[$1] = $2; if ($1 != "O3-threads") line = line sprintf(" %12.4g", $2) }
                END { printf "%-14s %7s %3s%s %9.2f %9.2f %10.4g\n", name, extent, n, line, t["best"] / t["O3"],
                      t["rows"] / t["O3"], t["O3-threads"] }' | tee -a "$work/table.txt"
    done
}

[ -z "$rivals" ] || {
    printf "%-14s %7s %3s" program extent np
    for rival in plain rows best $levels; do printf " %12s" "$rival"; done
    printf " %9s %9s %10s\n" best/ours rows/ours threads
} | tee -a "$work/table.txt"
measure matmul_direct 150 200
measure matmul_direct 1024 2
measure red_black 512 3000
measure red_black 4096 30
measure jacobi 512 1000
measure jacobi 4096 20
measure diffusion 64 500
measure diffusion 128 100
measure diffusion 256 10
measure q3 2551 20
case " $only " in *" large "*) measure q3 255100 1 ;; esac
case " $only " in *" thesis "*)
    echo "thesis: program, extent, np; us: naive, optimized, sequential; naive and optimized over sequential, optimized over naive" |
        tee -a "$work/table.txt"
    for run in $thesis; do
        set -- "$archive" $(echo "$run" | tr : ' ')
        for n in $processes; do
            rm -f "$work"/time.*
            round=0
            while [ $round -lt "$rounds" ]; do
                for form in naive optimized; do
                    "$MPIEXEC" -n "$n" "$work/bin/$3.$form" "$4" "$5" >>"$work/time.$form"
                done
                "$MPIEXEC" -n 1 "$work/bin/$3.sequential" "$4" "$5" >>"$work/time.sequential"
                round=$((round + 1))
            done
            for form in naive optimized sequential; do cut -d' ' -f1 "$work/time.$form" | median; done | tr '\n' ' ' |
                awk -v name="$3" -v extent="$4" -v n="$n" '{ printf "thesis %-14s %5s %3s %10.5g %10.5g %10.5g %8.3g %8.3g %8.3g\n",
                    name, extent, n, $1, $2, $3, $3 / $1, $3 / $2, $1 / $2 }' | tee -a "$work/table.txt"
        done
    done ;;
esac
case " $only " in *" styles "*)
    for n in $processes; do
        echo "styles on $n: computation | spelling | us ours | us plain | us best by hand | plain/ours | best/ours" | tee -a "$work/table.txt"
        rm -f "$work"/styles.*
        busy=0
        for program in "$work"/styles/*.O3.cpp; do
            name=$(basename "$program" .O3.cpp)
            if [ $((busy += n)) -gt "$(nproc)" ]; then
                wait
                busy=$n
            fi
            OMPI_MCA_hwloc_base_binding_policy=none "$MPIEXEC" -n "$n" "$work/bin/$name.O3" --rounds "$rounds" >"$work/styles.$name" &
        done
        wait
        cat "$work"/styles.* | tee -a "$work/table.txt"
    done ;;
esac
case " $only " in *" prk "*)
    for n in $processes; do
        for run in "stencil 100 1000" "stencil 20 4000" "transpose 10 4000" "p2p 20 1000" "nstream 20 10000000"; do
            set -- $run
            for form in mpi O3; do
                echo "prk $1.$form $3 on $n: $("$MPIEXEC" -n "$n" "$work/bin/$1.$form" "$2" "$3" | tr '\n' ' ')"
            done | tee -a "$work/table.txt"
        done
    done ;;
esac
# timed N COMMAND ..: what it prints, after its number of processes and how long it has taken altogether
timed() {
    begin=$(date +%s.%N)
    "$MPIEXEC" -n "$@" >"$work/printed"
    awk -v begin="$begin" -v end="$(date +%s.%N)" -v n="$1" 'NR == 1 { printf "%s processes, %.2f s: %s\n", n, end - begin, $0 }' "$work/printed"
}
# middle COLUMN FILE: the median
middle() { cut -d' ' -f"$1" "$2" | median; }
case " $only " in *" profile "*)
    grep -m 1 "model name" /proc/cpuinfo | tee -a "$work/table.txt"
    echo "profile: program, extent, np; medians of $rounds rounds: microseconds without; percent more with the profile, with nothing," \
        "and where nothing is done with what a profile is told; all rounds with the profile" | tee -a "$work/table.txt"
    for n in $processes; do
        for run in "red_black 150 400 60" "red_black 512 40 80" "jacobi 512 40 40" "diffusion 64 20 60" "q3 2551 4 40"; do
            set -- $run
            rm -f "$work"/printed*
            round=0
            while [ $round -lt "$rounds" ]; do
                HPSPMD_PROFILE="$work/run.json" "$MPIEXEC" -n "$n" "$work/bin/paired.O3" "$@" >>"$work/printed"
                [ $((round % 4)) != 0 ] ||
                    HPSPMD_PROFILE="$work/run.json" "$MPIEXEC" -n "$n" "$work/bin/paired.O3" "$@" told >>"$work/printed.told"
                round=$((round + 1))
            done
            echo "profile $1 $2 $n $(middle 1 "$work/printed") $(middle 2 "$work/printed") $(middle 3 "$work/printed")" \
                "$(middle 2 "$work/printed.told"): $(cut -d' ' -f2 "$work/printed" | tr '\n' ' ')"
        done
    done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" deblur "*)
    LC_ALL=C awk 'BEGIN {
        for (k = 0; k < 5000; ++k) line = line sprintf("%c", 20 + (k % 97 < 48 ? k % 97 : 200 - k % 97))
        printf "P5\n4000 3000\n255\n"
        for (row = 0; row < 3000; ++row) printf "%s", substr(line, 1 + row * 7 % 970, 4000) }' >"$work/large.pgm"
    for n in $processes; do
        [ "$n" -le 2 ] || continue
        round=0
        while [ $round -lt "$rounds" ]; do
            echo "deblur, $(timed "$n" "$work/bin/deblur.O3" "$work/large.pgm")"
            round=$((round + 1))
        done
    done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" model "*)
    for n in $processes; do
        [ "$n" -ge 2 ] || continue
        mkdir -p "$work/model.$n"
        for k in 0 1 2 3 4 5 6; do HPSPMD_PROFILE="$work/model.$n/run$k.json" "$MPIEXEC" -n "$n" "$work/bin/model.O3" 1000; done
    done
    tar czf "$work/model.tar.gz" -C "$work" $(cd "$work" && echo model.*[0-9]) ;;
esac
case " $only " in *" files "*)
    for folder in "${FOLDER:-$work}" /dev/shm; do
        for n in $processes; do
            [ "$n" -le 2 ] || continue
            echo "-- files in $folder, $n processes" | sed "s|$work|the working folder|"
            "$MPIEXEC" -n "$n" "$work/bin/files.O3" "$folder" 4096 "$rounds" fsync
        done
        for k in 1 2 3 4 5; do
            LC_ALL=C dd if=/dev/zero of="$folder/dd.out" bs=4M count=32 conv=fsync 2>&1 | tail -n 1
            rm -f "$folder/dd.out"
        done
    done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" patterns "*)
    for k in 1 2 3; do OMP_WAIT_POLICY=passive inThreads 2 "$work/bin/patterns" "$((20 * rounds + 1))"; done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" with_loops "*)
    for n in $processes; do
        for extent in 100 200 300 400 500 600 1000; do
            for k in 1 2 3 4 5; do echo "with-loop $extent, $n processes: $("$MPIEXEC" -n "$n" "$work/bin/relaxation.O3" "$extent" "$((10 * rounds))")"; done
        done
    done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" tuner "*)
    for extent in 100 300 1000; do "$MPIEXEC" -n "${processes##* }" "$work/bin/tuner.O3" "$extent" "$((3 * rounds))" 3; done | tee -a "$work/table.txt" ;;
esac
case " $only " in *" communication "*)
    for n in $processes; do
        for program in exchange operations remap; do
            echo "-- $program, $n processes"
            "$MPIEXEC" -n "$n" "$work/bin/$program"
        done
    done | tee -a "$work/table.txt" ;;
esac
