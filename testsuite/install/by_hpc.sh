# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ./hpc install PREFIX, if this is the build folder that ./hpc uses: what it has installed works alone.
. "$(dirname "$0")/../driver/expect.sh"

[ "$BUILD" = "$SOURCE/build" ] || exit 77
expectExit 1 "$SOURCE/hpc" install
expectText err '^hpc: usage: ./hpc install PREFIX'
expectExit 0 "$SOURCE/hpc" install "$scratch/prefix"
expectText out "add $scratch/prefix/bin to PATH"
for tool in hpcc hpspmd-bill hpspmd-cost hpspmd-layout hpspmd-look hpspmd-movie hpspmd-profile hpspmd-speeds hpspmd-test hpspmd-devices hpspmd-kernels; do
    expectFile prefix/bin/$tool
done
for page in man/man1/hpcc.1 man/man1/hpcc-run.1 bash-completion/completions/hpcc hpcpp/gdb/hpspmd.py; do
    [ -n "$(find prefix/share/$page* 2>/dev/null)" ] || problem "no share/$page"
done
cat >prog.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        ExtBlockRange x(40, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]];
        Adlib::writeHalo(a);
        Adlib::gprintln("processes ", p.size());
    }
}
END
PATH=$scratch/prefix/bin:$PATH
expectExit 0 hpcc prog.hpcpp -o prog
expectExit 0 hpcc run -n 2 prog
expectText out '^processes 2$'
expectExit 0 hpcc bill prog
expectText out '^prog on 4 processes: '
finish
