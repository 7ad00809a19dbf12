# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# -MD -MMD -MF -MT -MP: what make and ninja need; generated text and translated headers appear under the user's names.
. "$(dirname "$0")/expect.sh"

mkdir sub
echo 'inline int one() { return 1; }' >sub/plain.hpp
cat >sub/arrays.hph <<'END'
#pragma once
#include <hpspmd>
#include "plain.hpp"
inline void set(int [[*]] a) { a[0] = one(); }
END
cat >main.hpcpp <<'END'
#include "sub/arrays.hph"
void both(int [[*]] a) { set(a); }
END

expectExit 0 "$HPCC" -MMD -c main.hpcpp -o main.o
expectText main.d '^main.o:.* main.hpcpp'
expectText main.d 'sub/arrays.hph'
expectText main.d 'sub/plain.hpp'
expectNoText main.d 'hpcc-'
expectNoText main.d 'iostream'

expectExit 0 "$HPCC" -MD -MF deps -MT 'the target' -MP -c main.hpcpp -o main.o
expectText deps '^the target:'
expectText deps '/hpspmd'
expectText deps '^.*sub/arrays.hph:$'
expectExit 0 "$HPCC" -MD -c -o other.o main.hpcpp
expectText other.d '^other.o:'

# A change of the header makes make compile again.
printf 'main.o: ; "%s" -MMD -c main.hpcpp\n-include main.d\n' "$HPCC" >Makefile
if command -v make >/dev/null; then
    touch sub/arrays.hph
    expectExit 0 make main.o
    expectText out 'MMD'
    expectExit 0 make main.o
    expectText out 'up to date'
fi
expectNothingLeft
finish
