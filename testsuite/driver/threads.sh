# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Large texts are translated by several threads (driver/translated.cpp), to the same text as by one: --time-passes
# takes one. The declarations lie in lines of their own, several in one line, and behind comments.
. "$(dirname "$0")/expect.sh"

programs() {
    "$SOURCE/bench/translate/make_programs" 4000
    awk 'BEGIN {
        for (k = 0; k < 600; ++k) {
            printf "void f%d(Range x, double [[-]] a, int n) { overall (i = x for :) a[i] = n; } int g%d; double h%d(", k, k, k
            printf "Range x, double [[-]] a) {\n    overall (i = x for :)\n        a[i] = %d;\n    return 1; }  // the end\n", k
            printf "/* in front */ void l%d(Range x, double [[-,*]] a, int n) {\n", k
            printf "    overall (i = x for :) for (int k = n; k > 0; k -= 2) a[i, k] = 0; }\nint m%d;\n\n", k
        }
    }'
}

programs >programs.hpcpp
for level in 0 2 3; do
    expectExit 0 "$HPCC" "-O$level" --emit=cpp programs.hpcpp -o several.cpp
    expectExit 0 "$HPCC" "-O$level" --time-passes --emit=cpp programs.hpcpp -o one.cpp
    expectSame several.cpp one.cpp
    expectExit 0 "$HPCC" "-O$level" --emit=lowered programs.hpcpp -o several.cpp
    expectExit 0 "$HPCC" "-O$level" --time-passes --emit=lowered programs.hpcpp -o one.cpp
    expectSame several.cpp one.cpp
done
finish
