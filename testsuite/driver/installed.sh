# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The install tree works alone: hpcc finds headers and libraries relative to itself.
. "$(dirname "$0")/expect.sh"

expectExit 0 cmake --install "$BUILD" --prefix "$scratch/prefix"
cat >prog.hpcpp <<'END'
#include <hpspmd>
int main() {
    hpspmd::Procs1 p;
    hpspmd::Adlib::gprintln("processes ", p.size());
}
END
expectExit 0 prefix/bin/hpcc -v prog.hpcpp -o prog
expectText err 'prefix/include/hpcpp'
expectNoText err "$SOURCE"
expectExit 0 prefix/bin/hpcc run -n 2 prog
expectText out '^processes 2$'
expectExit 0 prefix/bin/hpcc --explain HP2201
expectText out '^Right:$'
finish
