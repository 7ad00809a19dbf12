# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# .hph headers: found beside the file and by -I, nested, translated from their own text, the same bytes from parallel builds.
. "$(dirname "$0")/expect.sh"

mkdir -p sub lib/deep
cat >lib/deep/inner.hph <<'END'
#pragma once
#include <hpspmd>
inline int first(int [[*]] a) { return a[0]; }
END
cat >lib/outer.hph <<'END'
#ifndef OUTER_HPH
#define OUTER_HPH
#include "deep/inner.hph"
inline int both(int [[*]] a) { return first(a) + a[1]; }
#endif
END
cat >sub/local.hph <<'END'
#pragma once
#include <outer.hph>
#include "constant.hpp"
inline int all(int [[*]] a) { return both(a) + constant; }
END
echo 'constexpr int constant = 4;' >sub/constant.hpp
cat >main.hpcpp <<'END'
#include "sub/local.hph"
// #include "in_a_comment.hph"
#ifdef NEVER
#include "absent.hph"
#endif
int main() {
    int [[*]] a = new int [[2]];
    a[0] = 1;
    a[1] = 2;
    return all(a);
}
END
expectExit 0 "$HPCC" -Ilib main.hpcpp -o prog
expectExit 7 ./prog
expectExit 0 "$HPCC" -Ilib --keep main.hpcpp -o prog
expectFile main.hpcc.cpp
[ "$(find hpcc-include -name '*.hph' | wc -l)" -eq 3 ] || problem "three headers should be kept"

# A plain .cpp may include a .hph too.
printf '#include "sub/local.hph"\nint other() { return constant; }\n' >other.cpp
expectExit 0 "$HPCC" -Ilib -c other.cpp

# A quoted name is found by -I too.
printf '#include "outer.hph"\n#include "deep/inner.hph"\nint quoted(int [[*]] v) { return both(v) + first(v); }\n' >quoted.hpcpp
expectExit 0 "$HPCC" -Ilib -c quoted.hpcpp

# Each file includes the plain header of its own folder, whatever the others are called.
mkdir -p one two
echo 'constexpr int own = 1;' >one/own.hpp
echo 'constexpr int other = 2;' >two/own.hpp
printf '#pragma once\n#include <hpspmd>\n#include "own.hpp"\ninline int two(int [[*]] v) { return v[0] + other; }\n' >two/two.hph
printf '#include <hpspmd>\n#include "own.hpp"\n#include "two.hph"\nint main() { return two(new int [[1]]) + own; }\n' >one/main.hpcpp
expectExit 0 "$HPCC" -Itwo one/main.hpcpp -MMD -MF own.d -o prog
expectExit 3 ./prog
expectText own.d 'two/own.hpp'
expectNoText own.d 'hpcc-'

# Errors in a header stand at its own lines, and a missing one at the line that includes it.
printf '#pragma once\n#include <hpspmd>\ninline void bad(int [[-]] a) { a[0] = 1; }\n' >sub/bad.hph
printf '#include "sub/bad.hph"\n' >uses_bad.hpcpp
expectExit 1 "$HPCC" -c uses_bad.hpcpp
expectText err 'sub/bad.hph:3:.*error'
printf '\n#include "nowhere.hph"\n' >lacks.hpcpp
expectExit 1 "$HPCC" -c lacks.hpcpp
expectText err 'lacks.hpcpp:2:10: error: .*nowhere.hph'
printf '\n#include "nowhere.hpp"\n' >lacks.hpcpp
expectExit 1 "$HPCC" -c lacks.hpcpp
expectText err 'lacks.hpcpp:2:10:.*nowhere.hpp'

# The installable form.
expectExit 0 "$HPCC" -Ilib --emit=header sub/local.hph -o installed.hph
expectText installed.hph 'inline int all(hpspmd::Array<int, hpspmd::Seq> a)'
expectNoText installed.hph '#line'

# Headers that include each other behind guards.
printf '#pragma once\n#include "ring_b.hph"\ninline void a(int [[*]] v) { v[0] = 1; }\n' >ring_a.hph
printf '#pragma once\n#include "ring_a.hph"\ninline void b(int [[*]] v) { v[0] = 1; }\n' >ring_b.hph
printf '#include <hpspmd>\n#include "ring_a.hph"\nvoid c(int [[*]] v) { a(v); b(v); }\n' >ring.hpcpp
expectExit 0 "$HPCC" -c ring.hpcpp

for n in 1 2 3 4; do "$HPCC" -Ilib --keep -c main.hpcpp -o parallel_$n.o & done
wait
expectSame parallel_1.o parallel_2.o
expectSame parallel_3.o parallel_4.o
expectNothingLeft
finish
