#!/bin/sh
# bench/elsewhere.sh ARCHIVE ["1 2 4 8"] [rounds]: measures what bench/prepare wrote on a machine that needs no hpcc and no
# cmake but mpicxx and mpiexec. Run it from the root of the source tree. Rivals (plain, rows and best by hand with MPI) and
# ours (hpcc -O0 and -O3) in turn; prints and writes $WORK/table.txt (default build/bench_elsewhere): medians of `rounds`
# (default 5), microseconds per iteration, and best/ours and rows/ours; in the last column ours of -O3 -fopenmp as one process
# of np threads. Set ONLY="red_black diffusion" for some of them. First: from how many steps on threads are worth their start.
set -eu
archive=$1
processes=${2:-1 2 4 8}
rounds=${3:-5}
work=${WORK:-build/bench_elsewhere}
only=${ONLY:-matmul_direct red_black jacobi diffusion q3 prk}
export MPICXX="${MPICXX:-mpicxx}" MPIEXEC="${MPIEXEC:-mpiexec}" work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "$work/bin"
tar xzf "$archive" -C "$work"

export compile='[ -s "$2" ] || { mkdir -p "$(dirname "$2")"
    "$MPICXX" -std=c++20 -O3 -Iinclude/umbrella -Iinclude -Iruntime -Iadlib -c "$1" -o "$2.part" && mv "$2.part" "$2"; }'
find runtime adlib -name '*.cpp' ! -path 'adlib/cost/main.cpp' | while read -r file; do
    echo "$file $work/library/${file%.cpp}.o"
done | xargs -P "$(nproc)" -n 2 sh -c "$compile" compile
rm -f "$work/library.a"
find "$work/library" -name '*.o' -print0 | xargs -0 ar rcs "$work/library.a"

flags="-std=c++17 -O3 -march=native -fopenmp-simd"
# Ours includes "../bench.hpp" and the like: it is built beside its source.
# hpcc -O3 gives the reductions, too; programs of threads are linked with OpenMP.
ours() {
    case $3 in O0) more= ;; O3) more=-DHPSPMD_REDUCTIONS ;; threads) more="-DHPSPMD_REDUCTIONS -fopenmp" ;; esac
    "$MPICXX" $flags $more -Iinclude/umbrella -Iinclude -iquote "bench/$1" "$work/$1/$2.$3.cpp" "$work/library.a" -o "$work/bin/$2.$3"
}
for name in $only; do
    if [ "$name" = prk ]; then
        for kernel in nstream stencil transpose p2p; do ours prk $kernel O3; done
        continue
    fi
    for form in plain rows best; do
        "$MPICXX" $flags "-DKERNEL=\"$form.hpp\"" "bench/$name/mpi.cpp" -o "$work/bin/$name.$form"
    done
    for level in O0 O3 threads; do ours "$name" "$name" "$level"; done
done
"$MPICXX" $flags -fopenmp -Iinclude/umbrella -Iinclude bench/threads/threads.cpp "$work/library.a" -o "$work/bin/threads"
echo "built"

# inThreads N PROGRAM ARGUMENTS..: one process, bound to no core
inThreads() {
    count=$1
    shift
    OMP_NUM_THREADS=$count OMPI_MCA_hwloc_base_binding_policy=none "$MPIEXEC" -n 1 "$@"
}
for n in $processes; do
    [ "$n" = 1 ] || inThreads "$n" "$work/bin/threads" | tee -a "$work/table.txt"
done

median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# measure NAME EXTENT ITERATIONS
measure() {
    case " $only " in *" $1 "*) ;; *) return 0 ;; esac
    for n in $processes; do
        rm -f "$work"/time.*
        round=0
        while [ $round -lt "$rounds" ]; do
            for rival in plain rows best O0 O3; do
                "$MPIEXEC" -n "$n" "$work/bin/$1.$rival" "$2" "$3" >>"$work/time.$rival"
            done
            inThreads "$n" "$work/bin/$1.threads" "$2" "$3" >>"$work/time.threads"
            round=$((round + 1))
        done
        cat "$work"/time.* | awk -v name="$1 $2" 'NR == 1 { first = $2 } { d = $2 - first; if (d < 0) d = -d
            if (d > 1e-9 * (first < 0 ? -first : first)) { print name ": answers differ: " first " and " $2; exit } }'
        medians=$(for rival in plain rows best O0 O3 threads; do cut -d' ' -f1 "$work/time.$rival" | median; done | tr '\n' ' ')
        echo "$1 $2 $n $medians" | awk '{ printf "%-14s %7s %3s %10.4g %10.4g %10.4g %10.4g %10.4g %9.2f %9.2f %10.4g\n",
            $1, $2, $3, $4, $5, $6, $7, $8, $6 / $8, $5 / $8, $9 }' | tee -a "$work/table.txt"
    done
}

echo "program         extent  np      plain       rows       best        -O0        -O3 best/ours rows/ours    threads" | tee -a "$work/table.txt"
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
case " $only " in *" prk "*)
    for n in $processes; do
        for run in "stencil 100 1000" "stencil 20 4000" "transpose 10 4000" "p2p 20 1000" "nstream 20 10000000"; do
            set -- $run
            echo "prk $1 $3 on $n: $("$MPIEXEC" -n "$n" "$work/bin/$1.O3" "$2" "$3" | tr '\n' ' ')" | tee -a "$work/table.txt"
        done
    done ;;
esac
