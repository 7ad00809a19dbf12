# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Whatever a file holds: a clear error or the right answer, never a crash.
. "$(dirname "$0")/expect.sh"

: >empty.hpcpp
expectExit 0 "$HPCC" -c empty.hpcpp
expectExit 0 "$HPCC" --emit=cpp empty.hpcpp
[ ! -s out ] || problem "an empty file came out longer"
expectExit 1 "$HPCC" empty.hpcpp -o empty
expectText err 'main'

head -c 3000 "$(command -v sh)" >binary.hpcpp
expectExit 1 "$HPCC" -c binary.hpcpp
expectText err 'not a text file'
expectExit 1 "$HPCC" -c missing.hpcpp
mkdir folder.hpcpp
expectExit 1 "$HPCC" -c folder.hpcpp
expectText err 'it is a directory'
if [ "$(id -u)" -ne 0 ]; then
    echo >closed.hpcpp
    chmod 000 closed.hpcpp
    expectExit 1 "$HPCC" -c closed.hpcpp
    expectText err 'Permission denied'
fi

# Unterminated everything: each an error with a place in the file.
unterminated() {
    printf '#include <hpspmd>\n%s' "$1" >open.hpcpp
    expectExit 1 "$HPCC" -c open.hpcpp
    expectText err 'open.hpcpp:[0-9]*:[0-9]*: .*error'
}
unterminated '/* comment'
unterminated 'const char* s = "text;'
unterminated 'const char* s = R"x(text)"; '
unterminated "char c = 'a;"
unterminated 'void f() { on (g) {'
unterminated 'void f(double [[-, a) {}'
unterminated 'void f() { overall (i = x for'
unterminated 'void f() { a[[1:'
unterminated 'template <class T'

# No program means any of these; hpcc leaves the errors to the C++ compiler, and still emits nothing but C++.
emitted() {
    printf '#include <hpspmd>\nusing namespace hpspmd;\n%s\n' "$1" >odd.hpcpp
    expectExit 0 "$HPCC" -O3 --emit=cpp odd.hpcpp
    expectNoText out '\[\['
}
emitted 'struct hpspmd { using namespace hpspmd; double [[-]] x = a.c(0); };'
emitted 'struct Part { Part left; };
void f(Part [[-]] a) { overall (i = a.rng(0) for :) { Part one = a[i]; a[i] = one; } }'
emitted 'void f(double [[-,*]] b, Range x) {
    overall (i = x for :)
        for (struct State { double [[-]] u; } k = 1; k < 4; ++k) b[i, k] = b[i, k + 1];
}'

nested() {
    awk -v n=10000 -v opener="$1" -v closer="$2" -v middle="$3" 'BEGIN {
        for (k = 0; k < n; ++k) printf "%s", opener; printf "%s", middle
        for (k = 0; k < n; ++k) printf "%s", closer }'
}
{ echo '#include <hpspmd>'; echo 'void use(int [[*]] a) { a[0] = 1; }'
  printf 'int f() { return '; nested '(' ')' 1; echo '; }'; } >parentheses.hpcpp
{ echo '#include <hpspmd>'; echo 'void use(int [[*]] a) { a[0] = 1; }'
  printf 'void f() '; nested '{' '}' ''; echo; } >braces.hpcpp
for file in parentheses braces; do
    expectExit 0 "$HPCC" --emit=cpp $file.hpcpp
done
{ echo '#include <hpspmd>'; printf 'void f(int [[*]] a) { a'; nested '[' ']' 0; echo '; }'; } >brackets.hpcpp
"$HPCC" --emit=cpp brackets.hpcpp >out 2>err
[ $? -le 1 ] || problem "10,000 brackets: exit code above 1"
{ printf 'void f() { '; nested '(' '' ''; } >unclosed.hpcpp
expectExit 1 "$HPCC" -c unclosed.hpcpp
{ echo 'void use(int [[*]] a) { a[0] = 1; }'; cat unclosed.hpcpp; } >extended.hpcpp
expectExit 1 "$HPCC" -c extended.hpcpp
[ "$(wc -l <err)" -lt 200 ] || problem "more than 200 lines of errors"

# A selection of ghost cells of no array is the C++ compiler's to tell of.
printf '#include <hpspmd>\nvoid f(double [[-]] a) { hpspmd::Adlib::writeHalo(hpspmd::Adlib::halo(a, {1}, {0}), hpspmd::Adlib::halo()); }\n' >halo.hpcpp
expectExit 0 "$HPCC" -O3 --emit=cpp halo.hpcpp

# What looks like a construct is one as soon as a loop of the method has become a nest.
cat >method.hpcpp <<'END'
#include <vector>
void steps([[hpspmd::dist]] std::vector<double>& a) {
    for (int i = 0; i < 9; ++i) a[i] = i;
    at ta[i] : done
    a[0] = 1;
}
END
expectExit 1 "$HPCC" -c method.hpcpp
expectText err 'method.hpcpp:.*error'
expectNoText err 'internal error'
finish
