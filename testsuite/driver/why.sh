# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc --why FILE:LINE: which form the nests of one line have, and what keeps them from a better one.
. "$(dirname "$0")/expect.sh"

cat >nests.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
Index unseen(Index n);
void f(double [[-]] a, double [[-]] &b, double [[-,*]] m, const Index [[*]] at, Range x) {
    overall (i = x for :) a[i] = 1.0;
    overall (i = x for :) b[i] = double(unseen(i`));
    overall (i = x for :)
        for (Index k = 0; k < m.size(1); ++k) {
            if (k > 1) m[i, at[k]] = 2.0;
        }
    overall (i = x for :) a[i] = 2.0; overall (j = x for :) a[j] += 1.0;
}
END
expectExit 0 "$HPCC" --why nests.hpcpp:5
expectText err '^nests.hpcpp:5:13: remark: this nest has a fast form .*\[-Rpass=fast-nests\] \[HP3201\]$'
expectNoText err '^nests.hpcpp:[^5]'
[ -s out ] && problem "--why prints to the standard output: $(cat out)"
expectExit 0 "$HPCC" --why=nests.hpcpp:6
expectText err '^nests.hpcpp:6:13: remark: this nest has no fast form \[-Rpass-missed=fast-nests\] \[HP3202\]$'
expectText err "^nests.hpcpp:6:41: note: because here it calls 'unseen', which might change 'b'"
expectText err "help: "
expectNoText err '^nests.hpcpp:5'
# Any line of a nest asks about all of it.
for line in 7 8 9 10; do
    expectExit 0 "$HPCC" --why nests.hpcpp:$line
    expectText err '^nests.hpcpp:7:13: remark: this nest has a fast form '
    expectText err '^nests.hpcpp:7:13: remark: a subscript is checked in each iteration \[-Rpass-missed=fast-nests\]'
    expectText err '^nests.hpcpp:9:29: note: because the entry of the nest cannot tell its values'
    expectText err 'help: counters, numbers that are fixed'
done
# All nests of a line.
expectExit 0 "$HPCC" --why nests.hpcpp:11
[ "$(grep -c '^nests.hpcpp:11:.*remark: ' err)" -ge 2 ] || problem "not both nests of a line: $(cat err)"
# The same that -Rpass and -Rpass-missed say, and as a document.
"$HPCC" -Rpass=fast-nests -Rpass-missed=fast-nests --emit=cpp nests.hpcpp -o nests.cpp 2>all
"$HPCC" --why nests.hpcpp:6 2>one
grep '^nests.hpcpp:6:' all | grep fast-nests >wanted
grep '^nests.hpcpp:6:' one | grep fast-nests >found
cmp -s wanted found || problem "--why and -Rpass differ: $(diff wanted found)"
expectExit 0 "$HPCC" --why nests.hpcpp:6 --diagnostics-format=json
expectText err '"severity": "remark"'
expectNoFile nests.o

# The cause of a check behind a reference to an element is where the reference is used.
cat >named.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void f(double [[-]] y, const double [[-,*]] a) {
    overall (i = y.rng(0) for :)
        for (Index k = 0; k < int(y[i]); ++k) {
            const auto &factor = a[i, k];
            y[i] += factor * factor;
        }
}
END
expectExit 0 "$HPCC" --why named.hpcpp:4
expectText err '^named.hpcpp:7:[0-9]*: note: because the entry of the nest cannot tell its values'
expectNoText err '<made>'

# What is asked wrongly.
expectExit 2 "$HPCC" --why nests.hpcpp:3
expectText err "nothing is told of line 3 of 'nests.hpcpp': nests begin in line 5, 6, 7, 11, 11"
expectExit 2 "$HPCC" --why nests.hpcpp:99
expectText err "'nests.hpcpp' has no line 99"
for wrong in nests.hpcpp nests.hpcpp: nests.hpcpp:x nests.hpcpp:0 nests.hpcpp:-1 nests.hpcpp:5x nests.hpcpp:99999999999 :5 5; do
    expectExit 2 "$HPCC" --why "$wrong"
    expectText err "FILE:LINE"
done
expectExit 1 "$HPCC" --why missing.hpcpp:5
expectText err "missing.hpcpp"
echo 'int main() {}' >plain.cpp
expectExit 2 "$HPCC" --why plain.cpp:1
expectText err "'plain.cpp' is no .hpcpp and no .hph file"
printf 'int f() { return 1; }\n' >none.hpcpp
expectExit 2 "$HPCC" --why none.hpcpp:1
expectText err "there is no nest in it"
printf 'void f(double [[-]] a) { overall (i = for :) a[i] = 1; }\n' >wrong.hpcpp
expectExit 1 "$HPCC" --why wrong.hpcpp:1
for other in plain.cpp "-o x" -c "--emit=cpp" "--why nests.hpcpp:6"; do
    # shellcheck disable=SC2086
    expectExit 2 "$HPCC" --why nests.hpcpp:5 $other
    expectText err "one line"
done
expectExit 2 "$HPCC" -O1 --why nests.hpcpp:5
expectText err "at -O1 there are none"
expectExit 0 "$HPCC" --help
expectText out "--why FILE:LINE"
expectExit 0 "$HPCC" completion bash
expectText out "--why"
expectExit 0 "$HPCC" manual
expectText out "why"
finish
