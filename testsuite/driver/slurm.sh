# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc run inside of an allocation of a real Slurm, of one node; skipped where there is none.
. "$(dirname "$0")/inside_slurm.sh"

cat >prog.hpcpp <<'END'
#include <hpspmd>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unistd.h>
using namespace hpspmd;
void (*volatile leave)(int) = std::_Exit;
void fail(int code) {
    if (code == 80) throw GroupNotContained("provoked");
    if (code == 81) throw ShiftTooWide("provoked");
    if (code == 82) throw OutOfBounds("provoked");
    if (code == 83) throw AdlibError("provoked");
    if (code == 84) throw OutOfMemory("provoked");
    if (code == 85) throw IoError("provoked");
    if (code == 86) throw MpiError("provoked");
    if (code == 87) throw TargetUnavailable("provoked");
    if (code == 89) throw CheckpointError("provoked");
    if (code == 90) throw std::runtime_error("provoked");
    if (code == 91) throw hpspmd::BudgetExceeded("provoked");
    std::exit(code);
}
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
        if (what == "crash" && p.rank() == 1) ::raise(SIGSEGV);
        if (what == "read") Adlib::read(a, "nowhere.npy");
        if (argc > 2 && p.rank() == 1) fail(std::atoi(argv[2]));
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
for code in 80 83 86 89 91 7; do "$HPCC" run -n 2 prog one $code; echo "one $code: $?"; done
"$HPCC" run --quiet -n 2 prog read; echo "read $?"
"$HPCC" run --label -n 2 prog one 83; echo "labelled failure $?"
"$HPCC" run -n 2 prog crash; echo "crash $?"
"$HPCC" run --restarts 2 -n 2 prog one 82; echo "restarts $?"
srun --mpi=pmi2 -n 2 ./prog one 85; echo "srun alone $?"
END
inSlurm sh inside.sh
expectText slurm.err '^srun --mpi=pmi[2x] -K1 -n 2 ./prog$'
expectText slurm.out '^processes 2, sum 4950$'
expectText slurm.out '^code 0$'
expectText slurm.out '^0: processes 2, sum 4950$'
expectText slurm.out '^left 5$'
expectText slurm.out '^timeout 124$'
expectText slurm.out '^mpiexec 0$'
expectText slurm.out 'inside of job'
expectText slurm.out '^none 88$'
expectText slurm.err "^wrong launcher: Slurm's srun started 2 processes"
# The codes that one process tells, while the others wait for it; srun's own is that of SIGKILL.
for code in 80 83 86 89 91 7; do expectText slurm.out "^one $code: $code$"; done
expectText slurm.out '^read 85$'
expectText slurm.err 'prog.hpcpp:[0-9]*: rank 0: IoError: read: cannot read .nowhere.npy'
expectText slurm.out '^labelled failure 83$'
expectText slurm.out '^crash 139$'
expectText slurm.out '^restarts 82$'
expectNoText slurm.err 'hpcc run: the job ended with'
expectText slurm.out '^srun alone 137$'
finish
