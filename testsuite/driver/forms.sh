# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --emit=STAGE prints every intermediate form; a file without extensions passes through byte for byte.
. "$(dirname "$0")/expect.sh"

cat >a.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;

void zero(double [[-]] a) {
    Range x = a.rng(0);
    overall (i = x for :)
        a[i] = 0.0;  // the comment stays
}
END
for form in tokens parsed checked pretranslated nests lowered optimized cpp; do
    expectExit 0 "$HPCC" --emit=$form a.hpcpp
    [ -s out ] || problem "--emit=$form prints nothing"
done
expectExit 0 "$HPCC" --emit=parsed a.hpcpp
expectText out '(Overall '
expectNoText out '{double'
expectExit 0 "$HPCC" --emit=checked a.hpcpp
expectText out 'a{double \[\[-\]\]}'
expectExit 0 "$HPCC" --emit=pretranslated a.hpcpp
expectText out 'overall (i = x'
expectExit 0 "$HPCC" --emit=nests a.hpcpp
expectText out '^nest at 6:5'
expectText out '^    i: independent'
expectExit 0 "$HPCC" -O0 --emit=nests a.hpcpp
expectText out '^no nests$'
expectExit 0 "$HPCC" --emit=lowered a.hpcpp
expectText out 'x.localBlocks('
expectText out 'the comment stays'
expectNoText out '#line'
expectExit 0 "$HPCC" --emit=cpp a.hpcpp
expectText out '#line .*"a.hpcpp"'
expectExit 0 "$HPCC" --emit=cpp -P a.hpcpp -o a.cpp
expectNoText a.cpp '#line'
expectExit 0 "$HPCC" --emit=cpp -P a.hpcpp -o -
expectSame out a.cpp
[ ! -e ./- ] || problem '-o - writes a file of that name'
expectExit 0 "$HPCC" -std=c++17 -Wall -Wextra -Werror -c a.cpp

printf 'int f ( ) ;\r\n\n  // odd  \t layout\n#define ON(x) x\nint overall = 1, on, at;' >plain.hpcpp
for form in pretranslated lowered optimized cpp; do
    expectExit 0 "$HPCC" --emit=$form plain.hpcpp
    expectSame out plain.hpcpp
done
finish
