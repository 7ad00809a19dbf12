# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc a.hpcpp b.cpp c.o -o prog: sources, plain sources and objects in one command.
. "$(dirname "$0")/expect.sh"

cat >a.hpcpp <<'END'
#include <hpspmd>
int plain();
int object();
int main() {
    hpspmd::Procs1 p;
    on (p) {
        hpspmd::BlockRange x(10, p.dim(0));
        int [[-]] a = new int [[x]];
        overall (i = x for :) a[i] = 1;
        return hpspmd::Adlib::sum(a) + plain() + object();
    }
    return 0;
}
END
echo 'int plain() { return 20; }' >b.cpp
echo 'int object() { return 12; }' >c.cpp
expectExit 0 "$HPCC" -c c.cpp -o c.o
expectExit 0 "$HPCC" a.hpcpp b.cpp c.o -o prog
for processes in 1 3; do
    expectExit 42 "$HPCC" run -n $processes prog
done
expectExit 1 "$HPCC" a.hpcpp b.cpp no.o -o other
expectText err "cannot read 'no.o'"
expectNoFile other
expectExit 1 "$HPCC" a.hpcpp -o other
expectText err 'undefined reference to .plain()'
expectNoFile other
expectNothingLeft

# What was compiled with the headers of another version does not link with this library, whatever it calls; shared libraries of another
# version do not let it start.
version=$("$HPCC" --version | sed -n '1s/hpcc \([0-9]*\)\.\([0-9]*\)\..*/version_\1_\2/p')
mkdir other
cp -r "$SOURCE/include" other
sed -i "s/$version/version_0_1/" other/include/hpspmd/abi.hpp
printf '#include <hpspmd>\nint main() {}\n' >small.cpp
expectExit 0 "$HPCC" -c small.cpp -o own.o
expectExit 0 "$HPCC" own.o -o small
expectExit 0 ./small
expectExit 0 "$HPCC" -c -O3 -Iother/include/umbrella -Iother/include small.cpp -o older.o
expectExit 1 "$HPCC" older.o -o older
expectText err 'undefined reference to .hpspmd::detail::version_0_1::library'
expectNoFile older
printf 'namespace hpspmd::detail::version_0_1 { extern const char library; const char library = 0; }\n' >library.cpp
expectExit 0 c++ -std=c++17 -shared -fPIC library.cpp -o libolder.so
printf '#include <hpspmd/abi.hpp>\nint main() {}\n' >bare.cpp
expectExit 0 c++ -std=c++17 -Iother/include bare.cpp -L. -lolder -Wl,-rpath,"$scratch" -o bare
expectExit 0 ./bare
sed 's/0_1/0_3/' library.cpp >newer.cpp
expectExit 0 c++ -std=c++17 -shared -fPIC newer.cpp -o libolder.so
expectExit 127 ./bare
expectText err 'undefined symbol: .*version_0_1'
finish
