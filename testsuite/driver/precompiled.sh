# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# HPCC_PRECOMPILED names a folder in which hpcc keeps <hpspmd> precompiled: made at the second use, made anew when a
# header has changed, used only where the program means the same with it, and never the reason why something fails.
. "$(dirname "$0")/expect.sh"
unset HPCC_PRECOMPILED

kept=$scratch/kept
used='-include hpcpp_precompiled.h'
compile() { expectExit 0 env HPCC_PRECOMPILED="$kept" "$HPCC" -v -O0 "$@"; }
expectUsed() { expectText err "$used"; }
expectNotUsed() { expectNoText err "$used"; }
entries() { find "$kept" -name '*.gch' | wc -l; }
expectEntries() { [ "$(entries)" -eq "$1" ] || problem "$(entries) entries, not $1"; }

cat >program.hpcpp <<'END'
// The first line says nothing.
#include <cstdio>  // of the standard library
#include <hpspmd>
using namespace hpspmd;
int main() {
    Procs1 p(1);
    on (p) {
        BlockRange x(8, p.dim(0));
        int [[-]] a = new int [[x]];
        overall (i = x for :) a[i] = i` * i`;
        std::printf("%d of %s:%d\n", Adlib::sum(a), __FILE__, __LINE__);
    }
}
END
expectExit 0 "$HPCC" -v -O0 program.hpcpp -o without
expectNotUsed
compile program.hpcpp -o first
expectNotUsed
expectEntries 0
compile -Wall -Wextra -Werror program.hpcpp -o second
expectUsed
expectEntries 1
compile program.hpcpp -o third
expectUsed
for program in without first second third; do
    "$HPCC" run -n 1 ./$program >$program.txt 2>err || problem "$program fails"
    expectSame without.txt $program.txt
done
expectText without.txt '140 of program.hpcpp:11'

# Those go first that have not been used for the longest time.
touch -d 2020-01-01 "$kept"/*.lock
compile program.hpcpp -o third
[ -z "$(find "$kept" -name '*.lock' ! -newer program.hpcpp)" ] || problem "the last use is not noted"

# Other options: another entry. Objects, too; with rules for make the headers are read.
compile -DOTHER=1 -c program.hpcpp -o other.o
compile -DOTHER=1 -c program.hpcpp -o other.o
expectUsed
expectEntries 2
compile -DOTHER=1 -c program.hpcpp -o other.o -MD -MF other.d
expectNotUsed
expectText other.d program.hpcpp

# Where something stands before it that it may depend on.
echo '#define HPSPMD_NO_GHOST_CHECKS' | cat - program.hpcpp >defines.hpcpp
echo '#define HPSPMD_NO_GHOST_CHECKS' >own.h
echo '#include "own.h"' | cat - program.hpcpp >includes.hpcpp
echo 'int main() {}' >none.hpcpp
for source in defines includes none; do
    compile $source.hpcpp -o $source
    expectNotUsed
done
compile -include own.h program.hpcpp -o after_own
expectNotUsed

# A message names the same place.
sed 's/Adlib::sum(a)/Adlib::sum(b)/' program.hpcpp >wrong.hpcpp
expectExit 1 "$HPCC" -O0 wrong.hpcpp -o wrong
mv err expected
expectExit 1 env HPCC_PRECOMPILED="$kept" "$HPCC" -O0 wrong.hpcpp -o wrong
expectSame expected err

# Made anew: for a header that has changed, and damaged.
entry=$(dirname "$(grep -L OTHER "$kept"/*/made-of | head -1)")
gch=$entry/hpcpp_precompiled.h.gch
for harm in "sed -i 3s/^[0-9]*/1/ $entry/made-of" "cp program.hpcpp $gch"; do
    $harm
    compile program.hpcpp -o anew
    expectUsed
    [ "$(wc -c <"$gch")" -gt 1000000 ] || problem "not made anew after: $harm"
    expectText "$entry/made-of" '[0-9][0-9]* [0-9.]* .*/umbrella/hpspmd'
done

# A folder that cannot be made.
echo text >file
expectExit 0 env HPCC_PRECOMPILED="$scratch/file" "$HPCC" -v -O0 program.hpcpp -o no_folder
expectNotUsed
rm -r "$kept"

# Several at a time make one.
for k in 1 2; do HPCC_PRECOMPILED=$kept "$HPCC" -O0 -c program.hpcpp -o $k.o; done &
for k in 3 4; do HPCC_PRECOMPILED=$kept "$HPCC" -O0 -c program.hpcpp -o $k.o; done
wait
for k in 1 2 3 4; do expectFile $k.o; done
expectEntries 1
[ "$(find "$kept" -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 1 ] || problem "something unfinished is left"
expectNothingLeft
finish
