# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The options of hpcc run: labels, variables, quiet, time limits, restarts from checkpoints, SIGTERM.
. "$(dirname "$0")/expect.sh"

cat >prog.hpcpp <<'EOF'
#include <hpspmd>
#include <csignal>
#include <cstdlib>
#include <string>
#include <unistd.h>
using namespace hpspmd;

int main(int, char** argv) {
    const std::string what = argv[1];
    Procs1 p;
    on (p) {
        if (what == "threads") Adlib::gprintln("threads ", std::getenv("OMP_NUM_THREADS"));
        if (what == "fail") std::exit(5);
        if (what == "sleep") ::sleep(100);
        if (what == "steps") {
            int step = 0;
            Adlib::Checkpoint state("steps.npz");
            state("step", step);
            const bool isRestored = state.restore();
            Adlib::gprintln("begins at ", step);
            for (; step < 50; ++step) {
                state.every(10);
                if (argv[2] && isRestored) ::usleep(100000);
                if (!isRestored && step == 25 && p.rank() == p.size() - 1) std::raise(SIGKILL);
            }
        }
        Adlib::gprintln("ends");
    }
}
EOF
expectExit 0 "$HPCC" prog.hpcpp -o prog
expectExit 0 "$HPCC" run --help
expectText out '^  --timeout TIME '
expectExit 0 "$HPCC" run -n 2 --label prog plain
expectText out '0.* ends$'
expectExit 0 "$HPCC" run -n 1 -v --threads=3 --log prog threads
expectText out '^threads 3$'
expectText err 'OMP_NUM_THREADS=3 HPSPMD_LOG=1 '
expectExit 0 "$HPCC" run -n 1 -v --target=threads:2 prog plain
expectText err 'HPSPMD_TARGET=threads:2 '
expectExit 87 "$HPCC" run -n 2 --target 'cuda:x' prog plain
expectText err "HPSPMD_TARGET: 'cuda:x': devices have the numbers 0 to 999, as in cuda:0"
expectExit 87 "$HPCC" run -n 1 --target='threads!' prog plain
expectText err 'the target threads: no nest of this program has threads (hpcc -O3 -fopenmp)'
expectExit 0 "$HPCC" run --quiet -n 2 prog plain
expectText out '^ends$'
expectNoText err .
expectExit 5 "$HPCC" run -n 2 --quiet prog fail
expectNoText out 'BAD TERMINATION'
expectNoText err 'mpiexec'
start=$(date +%s)
expectExit 124 "$HPCC" run -n 2 --timeout 1 prog sleep
expectText err 'takes more than 1 s'
[ $(($(date +%s) - start)) -lt 8 ] || problem "--timeout 1 took $(($(date +%s) - start)) s"
for wrong in '--timeout 0' '--timeout x' '--threads 0' '--restarts -1' '--quiet=1' '--timeout' '--target='; do
    expectExit 2 "$HPCC" run $wrong prog plain
done

expectExit 0 "$HPCC" run -n 2 --restarts 3 --quiet prog steps
expectText out '^begins at 0$'
expectText out '^begins at 20$'
expectText out '^ends$'
expectText err 'start 1 of 3 more'
expectNoText err 'start 2 of'

# SIGTERM: a last checkpoint, and no further start.
rm -f steps.npz*
"$HPCC" run -n 2 --restarts 1 --checkpoint-every 10 --quiet prog steps slowly >out 2>err &
job=$!
for try in $(seq 300); do
    sleep 0.1
    if grep -q 'begins at 20' out; then break; fi
done
sleep 0.5
kill -TERM $job
wait $job
code=$?
[ $code = 143 ] || problem "exit code $code after SIGTERM"
expectText err 'written after SIG'
expectExit 0 "$HPCC" run -n 1 --quiet prog steps
expectNoText out '^begins at 20$'
finish
