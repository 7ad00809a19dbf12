# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc a.hpcpp b.cpp c.o -o prog: sources, plain sources and objects in one command.
. "$(dirname "$0")/expect.sh"

cat >a.hpcpp <<'END'
#include <hpspmd>
int plain();
int object();
int main() {
    hpspmd::Procs1 p;
    on (p) {
        hpspmd::BlockRange x(10, p.dim(0));
        int [[-]] a = new int [[x]];
        overall (i = x for :) a[i] = 1;
        return hpspmd::Adlib::sum(a) + plain() + object();
    }
    return 0;
}
END
echo 'int plain() { return 20; }' >b.cpp
echo 'int object() { return 12; }' >c.cpp
expectExit 0 "$HPCC" -c c.cpp -o c.o
expectExit 0 "$HPCC" a.hpcpp b.cpp c.o -o prog
for processes in 1 3; do
    expectExit 42 "$HPCC" run -n $processes prog
done
expectExit 1 "$HPCC" a.hpcpp b.cpp no.o -o other
expectText err "cannot read 'no.o'"
expectNoFile other
expectExit 1 "$HPCC" a.hpcpp -o other
expectText err 'undefined reference to .plain()'
expectNoFile other
expectNothingLeft
finish
