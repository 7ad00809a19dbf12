#!/bin/sh
# elsewhere.sh ARCHIVE [processes]: builds and runs what run.py --prepare wrote, on a machine that needs no hpcc and no
# cmake but mpicxx, mpiexec and many cores. Run it from the root of the source tree. Every program must print the same
# in every configuration with every number of processes (default "1 2 3 4"); the folder $WORK (default build/elsewhere)
# keeps objects and answers, so that an interrupted run goes on where it was.
#
#   here:   testsuite/random/run.py build/bin/hpcc --prepare build/random.tar.gz --programs 2000 --seed 7
#   there:  testsuite/random/elsewhere.sh build/random.tar.gz
#
# With --configurations O3,cuda the programs are also run on GPUs: TARGETS="check cuda" (default "check") names what `device` is run on.
# BACKEND (default -O1), MPICXX, MPIEXEC and JOBS can be set in the environment.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ -f "${1:-}" ] || { echo "usage: testsuite/random/elsewhere.sh ARCHIVE [processes]" >&2; exit 1; }
[ -x package/build_library.sh ] || { echo "elsewhere.sh: run it from the root of the source tree" >&2; exit 1; }
archive=$1
processes=${2:-1 2 3 4}
work=${WORK:-build/elsewhere}
jobs=${JOBS:-$(nproc)}
targets=${TARGETS:-check}
export MPICXX="${MPICXX:-mpicxx}" MPIEXEC="${MPIEXEC:-mpiexec}" BACKEND="${BACKEND:--O1}" work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export HPSPMD_CHECK_ORDER=shuffled:5 XDG_CACHE_HOME="$PWD/$work/cache"
export OMPI_MCA_hwloc_base_binding_policy=none HPSPMD_OVERLAP=always OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive
mkdir -p "$work"
tar xzf "$archive" -C "$work"

package/build_library.sh "$work"
echo "library built"

export build='more=
    case $1 in
    */O3-threads/*) more="-fopenmp -DHPSPMD_LEAST_WORK(threads)=0" ;;
    */device/*) more=-DHPSPMD_DEVICE ;;
    esac
    [ -x "${1%.cpp}" ] || "$MPICXX" -std=c++17 "$BACKEND" $more -ffp-contract=off -Iinclude/umbrella -Iinclude "$1" \
    "$work/library.a" -ldl -o "${1%.cpp}" || echo "$1 does not build"'
sources() { find "$work"/O* "$work"/device -name '*.cpp' 2>/dev/null | sort; }
sources | xargs -P "$jobs" -n 1 sh -c "$build" build
echo "$(sources | wc -l) files built"

export start='answer=$1.$2.$3.answer
    [ "$3" = host ] || export HPSPMD_TARGET=$3 HPSPMD_LOG=1
    [ -s "$answer" ] || { timeout 300 "$MPIEXEC" -n "$2" "$1" >"$answer.part" 2>"$answer.errors" && mv "$answer.part" "$answer"; } ||
        echo "$1 fails with $2 processes on $3: $(tail -n 3 "$answer.errors")"'
runs() {
    for file in $(sources); do
        places=host
        case $file in */device/*) places=$targets ;; esac
        for place in $places; do
            for number in $processes; do echo "${file%.cpp} $number $place"; done
        done
    done
}
runs | xargs -P $((jobs / 4 + 1)) -n 3 sh -c "$start" start
for place in $targets; do
    echo "nests launched on $place: $(cat "$work"/device/*."$place".answer.errors 2>/dev/null | grep -c ' launches of ')"
done

# The first line of each program that is not as in the first configuration on the first number of processes.
answers=0
differing=$work/differing
: >"$differing"
first=$(ls -d "$work"/O* | head -n 1)
for answer in "$work"/*/*.answer; do
    answers=$((answers + 1))
    name=$(basename "$answer")
    expected=$first/${name%%.*}.${processes%% *}.host.answer
    cmp -s "$expected" "$answer" || diff "$expected" "$answer" |
        awk -v where="$answer" '/^[<>]/ && !seen[$2]++ { print where ": program " $2 ": " $0 }' >>"$differing"
done
cat "$differing"
expected=$(runs | wc -l)
echo "$answers of $expected answers, $(wc -l <"$differing") differences"
[ ! -s "$differing" ] && [ "$answers" -eq "$expected" ]
