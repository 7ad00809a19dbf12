# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --emit=cpp for build tools: -MD -MF -MT of the text, and with --headers a text that any C++ compiler takes, anywhere.
. "$(dirname "$0")/expect.sh"

mkdir sub library gen
echo 'inline int one() { return 1; }' >sub/plain.hpp
echo 'inline int two() { return 2; }' >library/far.hpp
cat >library/far.hph <<'END'
#pragma once
#include "far.hpp"
#include <hpspmd>
inline void double_(int [[*]] a) { a[0] *= two(); }
END
cat >sub/arrays.hph <<'END'
#pragma once
#include <hpspmd>
#include <far.hph>
#include "plain.hpp"
inline void set(int [[*]] a) { a[0] = one(); }
END
echo '#define NUMBER 3' >number.hpp
cat >main.hpcpp <<'END'
#include "sub/arrays.hph"
#include "sub/../sub/arrays.hph"
#include "number.hpp"
#if 0
#include "missing.hph"
#endif
int main() {
    int [[*]] a = new int [[1]];
    set(a);
    double_(a);
    hpspmd::Adlib::gprintln("number ", a[0] * NUMBER);
}
END

expectExit 0 "$HPCC" --emit=cpp -Ilibrary main.hpcpp -o gen/main.cpp --headers=gen/headers -MD -MF gen/main.d
expectText gen/main.d '^gen/main.cpp:'
expectText gen/main.d ' main.hpcpp '
expectText gen/main.d '/sub/arrays.hph'
expectText gen/main.d '/library/far.hph'
expectNoText gen/main.d 'gen/headers'

# Compiled elsewhere, without any flag that names the sources, and run.
mkdir elsewhere && cp gen/main.cpp elsewhere/moved.cpp
"$HPCC" --show main.hpcpp -o x | tail -1 | cut -d' ' -f1 >compiler
expectExit 0 "$(cat compiler)" -std=c++17 -O0 -I"$SOURCE/include/umbrella" -I"$SOURCE/include" elsewhere/moved.cpp \
    "$BUILD/lib/libhpspmd_adlib.a" "$BUILD/lib/libhpspmd_runtime.a" -o program
expectExit 0 "$HPCC" run -n 2 ./program
expectText out '^number 6$'

expectExit 0 "$HPCC" --emit=cpp -Ilibrary main.hpcpp -o gen/named.cpp -MMD -MT 'the target' -MP
expectText gen/named.d '^the target:'
expectText gen/named.d '^.*sub/arrays.hph:$'
expectText gen/named.cpp '"sub/arrays.hph"'

# make and ninja translate again when a header has changed.
printf 'gen/main.cpp: ; "%s" --emit=cpp -Ilibrary -MD main.hpcpp -o gen/main.cpp\n-include gen/main.d\n' "$HPCC" >Makefile
if command -v make >/dev/null; then
    expectExit 0 make gen/main.cpp
    expectText out 'up to date'
    sleep 0.01 && touch library/far.hph
    expectExit 0 make gen/main.cpp
    expectText out 'emit=cpp'
fi

expectExit 1 "$HPCC" --emit=cpp main.hpcpp -o gen/other.cpp -MD
expectNoFile gen/other.cpp
expectNoFile gen/other.d
expectExit 2 "$HPCC" --emit=cpp -MD -Ilibrary main.hpcpp
expectText err 'needs -o'
expectExit 2 "$HPCC" --headers=x -c main.hpcpp
expectText err 'goes with --emit=cpp'
expectNothingLeft
finish
