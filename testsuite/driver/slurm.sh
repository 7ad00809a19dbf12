# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc run inside of an allocation of a real Slurm, of one node; skipped where there is none.
. "$(dirname "$0")/expect.sh"

slurm=$(cd "$(dirname "$0")" && pwd)/one_node_slurm.sh
sh "$slurm" true >out 2>&1
[ $? -ne 77 ] || { cat out; exit 77; }

cat >prog.hpcpp <<'END'
#include <hpspmd>
#include <cstdlib>
#include <string>
#include <unistd.h>
using namespace hpspmd;
void (*volatile leave)(int) = std::_Exit;
int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    Procs1 p;
    on (p) {
        BlockRange x(100, p.dim(0));
        double [[-]] a = new double [[x]];
        overall (i = x for :) a[i] = i`;
        Adlib::gprintln("processes ", p.size(), ", sum ", Adlib::sum(a));
        if (what == "leave" && p.rank() == 0) leave(5);
        if (what == "sleep") ::sleep(100);
        if (what != "") Adlib::gprintln(Adlib::sum(a));
    }
}
END
expectExit 0 "$HPCC" prog.hpcpp -o prog
cat >inside.sh <<'END'
"$HPCC" run prog; echo "code $?"
"$HPCC" run -n 2 --label prog; echo "labelled $?"
"$HPCC" run --quiet -n 2 prog leave; echo "left $?"
"$HPCC" run --quiet --timeout 2 -n 2 prog sleep; echo "timeout $?"
"$HPCC" run --launcher mpiexec -n 2 prog; echo "mpiexec $?"
"$HPCC" doctor | grep Slurm
srun --mpi=none -n 2 ./prog; echo "none $?"
END
expectExit 0 sh "$slurm" sh inside.sh
expectText err '^srun --mpi=pmi[2x] -K1 -n 2 ./prog$'
expectText out '^processes 2, sum 4950$'
expectText out '^code 0$'
expectText out '^0: processes 2, sum 4950$'
expectText out '^left [1-9]'          # srun's code: the worst of all processes, those among them that it has ended
expectText out '^timeout 124$'
expectText out '^mpiexec 0$'
expectText out 'inside of job'
expectText out '^none 88$'
expectText err "^wrong launcher: Slurm's srun started 2 processes"
finish
