# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc run --transport=node: processes joined by shared memory, run by hpcc itself.
. "$(dirname "$0")/expect.sh"

# What one process does, out of sight of the checks.
cat >other.cpp <<'END'
#include <csignal>
#include <string>
#include <unistd.h>
void misbehave(const std::string& what, int process) {
    if (process != 1) return;
    if (what == "left") ::_exit(0);
    if (what == "crashes") std::raise(SIGSEGV);
    if (what == "throws") throw what;
}
END
cat >prog.hpcpp <<'END'
#include <hpspmd>
#include <cstdlib>
#include <iostream>
#include <string>
using namespace hpspmd;
void misbehave(const std::string& what, int process);
int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    Procs1 p;
    if (what == "reads") {
        std::string word = "nothing";
        std::cin >> word;
        std::cout << "read " + word + "\n" << std::flush;
    }
    if (what == "asks") std::system("echo job=${HPSPMD_NODE_JOB:-none}");
    misbehave(what, p.rank());
    if (what == "code") return 7;
    Adlib::gprintln("processes ", p.size(), " arguments ", argc - 1);
}
END
expectExit 0 "$HPCC" prog.hpcpp other.cpp -o prog
node() { count=$1; shift; timeout 20 "$HPCC" run --transport=node -n "$count" "$@"; }
expectExit 0 node 3 prog a 'two words'
expectText out '^processes 3 arguments 2$'
expectText err "^3 processes joined by shared memory: ./prog a 'two words'$"
expectExit 0 env HPSPMD_TRANSPORT=node "$HPCC" run -n 2 prog
expectText err '^2 processes joined by shared memory'
expectExit 0 env HPSPMD_TRANSPORT=node ./prog
expectText out '^processes 1 '

# Standard input is the first process's; programs that a process starts are not of the job.
echo word >input
expectExit 0 sh -c "'$HPCC' run --transport=node -n 2 prog reads <input"
expectText out '^read word$'
expectText out '^read nothing$'
expectExit 0 node 2 prog asks
expectText out '^job=none$'

# How jobs end.
expectExit 7 node 3 prog code
expectExit 90 node 3 prog throws
expectText err 'rank 1: uncaught exception'
expectExit 139 node 3 prog crashes
expectText err '^process 1 of 3: segmentation fault'
expectExit 1 node 3 prog left
expectText err 'process 1 left before the end of the job'

# Bad input.
expectExit 2 "$HPCC" run --transport=tcp prog
expectText err "'tcp' is no transport: mpi and node are"
expectExit 2 env HPSPMD_TRANSPORT=tcp "$HPCC" run prog
expectExit 86 env HPSPMD_NODE_JOB=1:2 ./prog
expectText err "HPSPMD_NODE_JOB is '1:2': not file:rank:size"
expectExit 86 env HPSPMD_NODE_JOB=77:0:2 ./prog
expectText err 'shared memory of the job: '
expectExit 88 env HPSPMD_TRANSPORT=node PMI_SIZE=4 ./prog
expectText err 'joined by shared memory, without MPI'
printf '#!/no/such/interpreter\n' >script
chmod +x script
expectExit 4 node 2 ./script
expectText err "cannot run './script'"
finish
