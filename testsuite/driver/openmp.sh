# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs of -fopenmp: how many threads each process has, and what it computes with them.
. "$(dirname "$0")/expect.sh"

cat >rows.hpcpp <<'END'
#include <hpspmd>
#include <omp.h>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        const Index n = 400;
        BlockRange x(n, p.dim(0));
        double [[-,*]] a = new double [[x, n]];
        long sum = 0;
        overall (i = x for :)
            for (Index k = 0; k < n; ++k) a[i, k] = double(i` * k);
        overall (i = x for :)
            for (Index k = 0; k < n; ++k) sum += long(a[i, k]);
        Adlib::gprintln(Adlib::sum(sum), " threads ", omp_get_max_threads());
    }
}
END
expectExit 0 "$HPCC" -O3 -fopenmp rows.hpcpp -o rows
for threads in 1 2 5; do
    expectExit 0 env HPSPMD_LOG=1 OMP_NUM_THREADS=$threads "$HPCC" run -n 2 rows
    expectText out "^6368040000 threads $threads$"
    expectText err "hpspmd: threads of each process: $threads; on this node, processes: 2, cores: "
done
# Its share of the cores where nothing is said.
expectExit 0 env -u OMP_NUM_THREADS HPSPMD_LOG=1 "$HPCC" run -n 1 rows
cores=$(sed -n 's/.*processes: 1, cores: \([0-9]*\)$/\1/p' err)
[ -n "$cores" ] || problem "no number of cores in: $(cat err)"
expectText out " threads $cores$"
expectExit 0 env -u OMP_NUM_THREADS HPSPMD_LOG=1 "$HPCC" run -n 2 rows
expectText out " threads $((cores > 1 ? cores / 2 : 1))$"
expectExit 0 env -u OMP_NUM_THREADS "$HPCC" run -n 4 rows
expectText out "^6368040000 threads $((cores > 3 ? cores / 4 : 1))$"

# Also where OpenMP binds the thread that asks.
expectExit 0 env -u OMP_NUM_THREADS OMP_PROC_BIND=true HPSPMD_LOG=1 "$HPCC" run -n 1 rows
expectText out " threads $cores$"

# Open MPI must not bind each process to one core.
case $("$HPCC" --version) in *'(openmpi)'*)
    expectExit 0 "$HPCC" run -n 1 rows
    expectText err ' --bind-to none ' ;;
esac

# A program without OpenMP says nothing of threads.
printf '#include <hpspmd>\nint main() { hpspmd::Procs1 p; return p.size() - 1; }\n' >alone.hpcpp
expectExit 0 "$HPCC" alone.hpcpp -o alone
expectExit 0 env HPSPMD_LOG=1 "$HPCC" run -n 1 alone
expectNoText err 'threads of each process'
finish
