# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Job scripts of hpcc run --sbatch in a real Slurm of one node: jobs that are told to stop, cancelled, and lose a process; skipped
# where there is no Slurm.
. "$(dirname "$0")/inside_slurm.sh"

cat >saves.hpcpp <<'END'
#include <hpspmd>
#include <csignal>
#include <cstdlib>
#include <unistd.h>
using namespace hpspmd;
int main(int argc, char** argv) {
    const int steps = 20, bad = argc > 1 ? std::atoi(argv[1]) : -1;
    Procs1 p;
    on (p) {
        BlockRange x(100, p.dim(0));
        double [[-]] a = new double [[x]];
        overall (i = x for :) a[i] = 0;
        int step = 0;
        Adlib::Checkpoint state("saves.npz");
        state("a", a)("step", step);
        const bool goesOn = state.restore();
        if (goesOn) Adlib::gprintln("goes on at ", step, " on ", p.size());
        for (; step < steps; ++step) {
            state.every(10);
            overall (i = x for :) a[i] = a[i] + i`;
            Adlib::gprintln("step ", step);
            if (step == bad && !goesOn && p.rank() == 1) ::raise(SIGKILL);
            ::usleep(100000);
        }
        Adlib::gprintln("processes ", p.size(), ", sum ", Adlib::sum(a));
    }
}
END
expectExit 0 "$HPCC" saves.hpcpp -o saves
# Each job in a folder of its own: out, what it printed, and job, what Slurm says of it in the end.
cat >outside.sh <<'END'
submit() {
    mkdir -p "$1"
    cp saves "$1"
    folder=$1
    shift
    (cd "$folder" && "$HPCC" run --sbatch "$@" | sbatch --parsable --output=out >id)
}
reached() { for try in $(seq 300); do grep -q "^step $1$" "$folder/out" 2>/dev/null && break; sleep 0.1; done; }
left() { for try in $(seq 300); do squeue -h -t "$1" -j "$(cat "$folder/id")" 2>/dev/null | grep -q . || break; sleep 0.1; done; }
ended() {
    left pending,running,completing
    scontrol show job "$(cat "$folder/id")" >"$folder/job"
}
submit told -n 2 --timeout 5m ./saves
reached 3
scancel --signal=USR1 "$(cat told/id)"
left running,completing
submit cancelled -n 2 ./saves
reached 3
scancel "$(cat cancelled/id)"
ended
mkdir smaller
cp cancelled/saves.npz smaller
submit smaller -n 1 ./saves
ended
submit lost -n 2 ./saves 3
ended
submit again -n 2 --restarts 2 ./saves 12
ended
folder=told
ended
END
inSlurm --outside sh outside.sh

# SIGUSR1, as Slurm sends it before the limit: written, queued again, and gone on with.
expectText told/out "checkpoint 'saves.npz' written after SIGUSR1"
expectText told/out '^goes on at [0-9]* on 2$'
expectText told/out '^processes 2, sum 99000$'
expectText told/job 'JobState=COMPLETED'
expectText told/job 'Restarts=1 '
[ "$(grep -c '^step ' told/out)" = 20 ] || problem "steps of the job that was told to stop were repeated: $(cat told/out)"
# scancel sends SIGTERM, twice; the job is not queued again, but another one may go on, on one process.
expectText cancelled/out "checkpoint 'saves.npz' written after SIGTERM"
expectText cancelled/job 'JobState=CANCELLED'
expectText smaller/out '^goes on at [0-9]* on 1$'
expectText smaller/out '^processes 1, sum 99000$'
# A process that is killed: the job is started again in its allocation, and without --restarts it fails and is not queued again.
expectText again/out '^hpcc run: the job ended with 137; start 1 of 2 more$'
expectText again/out '^goes on at 10 on 2$'
expectText again/out '^processes 2, sum 99000$'
expectText again/job 'JobState=COMPLETED'
expectText lost/job 'JobState=FAILED'
expectText lost/job 'ExitCode=137:0'
expectText lost/job 'Restarts=0 '
finish
