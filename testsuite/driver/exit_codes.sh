# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 0 ok, 1 errors in the sources, 2 usage, 4 part of the toolchain is missing.
. "$(dirname "$0")/expect.sh"

echo 'int main() { return 0; }' >good.hpcpp
echo 'int main( { return 0; }' >bad.cpp
cat >rule.hpcpp <<'END'
#include <hpspmd>
void f(double [[-]] a) { a[3] = 1; }
END

expectExit 0 "$HPCC" -c good.hpcpp
expectExit 0 "$HPCC" --help
expectExit 0 "$HPCC" --version
expectExit 1 "$HPCC" -c bad.cpp
expectExit 1 "$HPCC" -c rule.hpcpp
expectText err 'rule.hpcpp:2:.*error: .*\[HP2201\]'
expectExit 1 "$HPCC" -c missing.hpcpp
expectText err "cannot read 'missing.hpcpp'"

expectExit 2 "$HPCC"
expectText err 'no input files'
expectExit 2 "$HPCC" -o
expectExit 2 "$HPCC" --nonsense good.hpcpp
expectText err "unknown option '--nonsense'"
expectExit 2 "$HPCC" --emit=nonsense good.hpcpp
expectExit 2 "$HPCC" -O7 good.hpcpp
expectExit 2 "$HPCC" --pass=nonsense good.hpcpp
expectExit 2 "$HPCC" --print-after=nonsense good.hpcpp
expectExit 2 "$HPCC" -c good.hpcpp bad.cpp -o one.o
expectExit 2 "$HPCC" -c object.o
expectExit 2 "$HPCC" -M good.hpcpp
echo >header.hph
expectExit 2 "$HPCC" header.hph
expectText err 'emit=header'
expectExit 1 env TMPDIR="$scratch/absent" "$HPCC" -c good.hpcpp
expectText err TMPDIR

expectExit 4 env HPCC_MPICXX="$scratch/no-mpicxx" "$HPCC" -c good.hpcpp
expectText err 'no-mpicxx.* is missing'
finish
