# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A program that needs instructions which this CPU lacks says so at start. XOP is such an instruction set on
# all CPUs but one family of AMD's from 2011 to 2015.
. "$(dirname "$0")/expect.sh"

if [ "$(uname -m)" != x86_64 ] || grep -qw xop /proc/cpuinfo; then
    echo "this CPU has XOP, or is no x86-64: nothing to test here"
    exit 77
fi
printf '#include <cstdio>\nint main() { std::puts("ran"); }\n' >prog.hpcpp
expectExit 0 "$HPCC" -mxop prog.hpcpp -o needs_xop
expectExit 90 ./needs_xop
expectText err 'compiled for a CPU with .*, which this one lacks'
expectNoText out 'ran'
expectExit 0 "$HPCC" prog.hpcpp -o native
expectExit 0 ./native
expectText out 'ran'
finish
