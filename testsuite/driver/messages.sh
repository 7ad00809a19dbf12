# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How errors and warnings are shown, chosen and explained.
. "$(dirname "$0")/expect.sh"

cat >warned.hpcpp <<'END'
#include <hpspmd>
#define SWEEP overall (i = x for :)
int last(double [[*]] a) {
    return a.size(0) > 0;
    a[0] = 1;
}
END

# Warnings have codes: they can be left out one by one, or be errors; what is said of one code stands above -Werror.
warned() {
    code=$1 shown=$2
    shift 2
    expectExit "$code" "$HPCC" "$@" -c warned.hpcpp
    sed -n 's/.*: \(warning\|error\): .*\[\(HP[0-9]*\)\]$/\1 \2/p' err | tr '\n' ' ' >got
    [ "$(cat got)" = "$shown" ] || problem "$* shows '$(cat got)' instead of '$shown'"
}
warned 0 'warning HP1040 warning HP2605 '
warned 0 'warning HP2605 ' -Wno-HP1040
warned 1 'error HP1040 ' -Werror  # the first stage ends with an error
warned 0 'warning HP1040 warning HP2605 ' -Werror -Wno-error
warned 1 'warning HP1040 error HP2605 ' -Werror=HP2605
warned 1 'warning HP1040 error HP2605 ' -Werror -Wno-error=HP1040
warned 1 'warning HP1040 error HP2605 ' -Wno-error=HP1040 -Werror
warned 1 'error HP2605 ' -Wno-HP1040 -Werror=HP2605
warned 0 '' -Werror -Wno-HP1040 -Wno-HP2605
warned 1 'error HP1040 ' -Wno-HP1040 -Werror=HP1040
expectExit 2 "$HPCC" -Wno-HP2201 -c warned.hpcpp
expectText err 'HP2201 is an error, not a warning'
expectExit 2 "$HPCC" -Werror=HP1050 -c warned.hpcpp
expectText err 'HP1050. is no diagnostic of hpcc; near are .*HP1047'

# Warnings of the C++ compiler are one more code.
printf '#include <hpspmd>\nvoid set(int [[*]] a) { int unused; a[0] = 1; }\n' >foreign.hpcpp
expectExit 0 "$HPCC" -Wall -c foreign.hpcpp
expectText err 'warning: .*\[HP3102\]'
expectExit 0 "$HPCC" -Wall -Wno-HP3102 -c foreign.hpcpp
expectNoText err HP3102
rm -f foreign.o
expectExit 1 "$HPCC" -Wall -Werror=HP3102 -c foreign.hpcpp
expectText err 'error: .*\[HP3102\]'
expectNoFile foreign.o

# Names that hpcc has declared in the forms of a nest shadow those of the user, of which nobody is told; other shadows are told.
cat >shadows.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
template <class A>
void twice(A a) { overall (i = a.rng(0) for :) a[i] *= 2; }
double f(double [[-,-]] b, double [[-,-]] a, double most) {
    Range x = a.rng(0), y = a.rng(1);
    double sum = 0;
    Adlib::writeHalo(a);
    overall (i = x for 1 : x.size() - 2, j = y for :) b[i, j] = most * a[i - 1, j];
    overall (i = x for :, j = y for :) { sum += b[i, j]; most = b[i, j] > most ? b[i, j] : most; }
    double [[-]] line = b[[:, 0]];
    twice(line);
    return Adlib::sum(sum) + Adlib::maxval(most) + Adlib::sum(overall (i = x for :) std::abs(line[i]));
}
END
expectExit 0 "$HPCC" -O3 -Wall -Wextra -Wshadow -Werror -c shadows.hpcpp
expectNoText err HP3102
sed 's/double sum = 0;/double sum = 0; { double most = 1; sum += most; }/' shadows.hpcpp >shadowed.hpcpp
expectExit 0 "$HPCC" -O3 -Wshadow -c shadowed.hpcpp
expectText err "7:30: warning: declaration of .*most.* shadows a parameter .*HP3102"
expectNoText err i_run
expectExit 1 "$HPCC" -O3 -Wshadow -Werror -c shadowed.hpcpp
expectExit 1 "$HPCC" -O3 -Werror=shadow -c shadowed.hpcpp
expectExit 0 "$HPCC" -O3 -Werror=shadow -c shadows.hpcpp

# What goes wrong in the standard library is told at the line that asks for it, with one note for the place there.
cat >sorted.hpcpp <<'END'
#include <hpspmd>
#include <algorithm>
#include <list>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        std::list<int> l;
        std::sort(l.begin(), l.end());
    }
}
END
expectExit 1 "$HPCC" -c sorted.hpcpp
expectText err '^sorted.hpcpp:9:[0-9]*: error: .*HP3101'
[ "$(grep -c ': note: ' err)" = 1 ] || problem "notes about the standard library: $(grep 'note: ' err)"
expectText err '^note: [0-9]* more notes of the C++ compiler about other files are left out'

# A line of the preprocessor that would have no place in what a construct becomes is an error, never lost.
lost() {
    printf '#include <hpspmd>\nusing namespace hpspmd;\nvoid f(double [[-]] a, double [[-]] b, Procs1 p, int& n) {\n%b\n}\n' "$1" >lost.hpcpp
    expectExit 1 "$HPCC" -c lost.hpcpp
    expectText err "lost.hpcpp:$2:1: error: this line of the preprocessor .*HP1049"
    expectNoFile lost.o
}
lost 'overall (i = a.rng(0) for :)\n#ifdef A\na[i] = 1;\n#endif\n++n;' 5
lost 'overall (i = a.rng(0) for :)\n#ifdef A\na[i] = 1;\n#elif defined B\na[i] = 2;\n#endif\n++n;' 5
lost 'overall (i = a.rng(0) for :)\n#ifdef A\na[i] = 1;\n#elif defined B\n#else\na[i] = 2;\n#endif\n++n;' 5
lost 'overall (i = a.rng(0) for :)\n#ifdef A\na[i] = 1;\n#else\na[i] = 2;\n++n;\n#endif' 5
lost 'at (i = a.rng(0)[0])\n#if 1\na[i] = 1;\n#else\n#endif\n++n;' 5
lost 'on (p)\n#ifdef A\n#ifdef B\n++n;\n#endif\n#else\n--n;\n#endif\n++n;' 5
lost '#ifdef A\non (p)\n#endif\noverall (i = a.rng(0) for :) a[i] = 1;' 6
lost 'overall (i = a.rng(0) for\n#ifdef A\n1 :\n#else\n:\n#endif\n) a[i] = 1;' 5
lost 'overall (i = a.rng(0) for 1 :) a[i] = b[\n#ifdef A\ni\n#else\ni - 1\n#endif\n];' 5
lost 'double [[-]] c = new double\n#ifdef A\n[[a.rng(0)]];\n#else\n[[b.rng(0)]];\n#endif' 5

# At most 20 errors, or as many as one likes, in the spellings of g++ and clang too.
{ echo '#include <hpspmd>'; echo 'void set(int [[-]] a) {'
  k=0; while [ $k -lt 30 ]; do echo "    a[$k] = 1;"; k=$((k + 1)); done
  echo '}'; } >many.hpcpp
shows() {
    limit=$1
    shift
    expectExit 1 "$HPCC" "$@" -c many.hpcpp
    count=$(grep -c 'error: .*\[HP2201\]' err)
    [ "$count" -eq "$limit" ] || problem "$* shows $count errors instead of $limit"
}
shows 20
shows 30 --error-limit=0
shows 3 --error-limit=3
expectText err 'too many errors, stopping after 3'
shows 4 -ferror-limit=4
shows 5 -fmax-errors=5
expectExit 2 "$HPCC" --error-limit=few -c many.hpcpp
expectText err "'few' is no number of errors"

# Colour: on a terminal, or as asked for; the C++ compiler that speaks for itself follows.
escape=$(printf '\033')
expectExit 1 "$HPCC" -c many.hpcpp
expectNoText err "$escape"
for color in --color=always -fdiagnostics-color=always -fdiagnostics-color -fcolor-diagnostics; do
    expectExit 1 "$HPCC" $color -c many.hpcpp
    expectText err "$escape\[1;31merror"
done
expectExit 1 "$HPCC" --color=always --color=never -c many.hpcpp
expectNoText err "$escape"
expectExit 0 "$HPCC" --color=always -Wall -c foreign.hpcpp
expectText err "$escape\[1;35mwarning"
expectText err 'HP3102'
echo 'int broken = ;' >plain.cpp
expectExit 1 "$HPCC" --color=always -c plain.cpp
expectText err "$escape"
expectExit 1 "$HPCC" -fno-diagnostics-color -c plain.cpp
expectNoText err "$escape"
expectExit 2 "$HPCC" --color=blue -c plain.cpp
expectText err "auto, always or never"

# The end of a run names the pages; the pages are in hpcc itself.
expectExit 1 "$HPCC" -c many.hpcpp
expectText err '^hpcc --explain HP2201 says more$'
expectExit 1 "$HPCC" -Werror=HP2605 -c warned.hpcpp
expectText err '^hpcc --explain HP2605 says more (also HP1040)$'
expectExit 1 "$HPCC" --diagnostics-format=json -c many.hpcpp
expectNoText err 'says more'
expectExit 0 "$HPCC" --explain HP2201
expectText out '^HP2201: '
expectText out '^Wrong:$'
expectText out '^Right:$'
expectNoText out '`[^`]*`'
mv out first
expectExit 0 "$HPCC" --explain=2201
expectSame out first
expectExit 2 "$HPCC" --explain HP2299
expectText err "'HP2299' is no diagnostic of hpcc; near are HP2207 HP2208 HP2209 HP2210"
expectExit 2 "$HPCC" --explain halo
expectText err "HP and four digits"

# Misspelt options and stages.
expectExit 2 "$HPCC" --error-limt=3 -c many.hpcpp
expectText err "unknown option '--error-limt=3'; did you mean '--error-limit'?"
expectExit 2 "$HPCC" --keeep -c many.hpcpp
expectText err "did you mean '--keep'?"
expectExit 2 "$HPCC" --unheard-of -c many.hpcpp
expectNoText err 'did you mean'
expectExit 2 "$HPCC" --emit=lowred many.hpcpp
expectText err "did you mean 'lowered'?"
finish
