# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Messages of the C++ compiler and gdb show lines of the .hpcpp file.
. "$(dirname "$0")/expect.sh"

cat >wrong.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;

void f(double [[-]] a) {
    Range x = a.rng(0);
    overall (i = x for :) {
        a[i] = 1;
        a[i] = unheardOf(2);
    }
    alsoUnheardOf();
}
END
expectExit 1 "$HPCC" -c wrong.hpcpp
expectText err '^wrong.hpcpp:8:.*unheardOf'
expectText err '^wrong.hpcpp:10:.*alsoUnheardOf'
expectNoText err 'hpcc.cpp:.*error'

cat >right.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;

int stop(double value) { return value > 0; }

int main() {
    Procs1 p;
    on (p) {
        BlockRange x(4, p.dim(0));
        double [[-]] a = new double [[x]];
        overall (i = x for :)
            a[i] = stop(1.0);
    }
}
END
expectExit 0 "$HPCC" -O0 -g right.hpcpp -o right
if command -v gdb >/dev/null; then
    expectExit 0 gdb -batch -nx -ex 'break stop' -ex run -ex up -ex 'info line' ./right
    expectText out 'right.hpcpp:4'
    expectText out 'right.hpcpp:12'
else
    echo "gdb is not installed: its half of this test is left out"
fi
finish
