# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The flags of a compiler driver: its own ones, and those that pass to the back end.
. "$(dirname "$0")/expect.sh"

mkdir inc lib
echo 'inline int fromHeader() { return 1; }' >inc/header.hpp
echo 'int fromLibrary() { return 2; }' >library.cpp
cat >main.hpcpp <<'END'
#include <header.hpp>
int fromLibrary();
int main() { return fromHeader() + fromLibrary() + VALUE + (__cplusplus > 201703L ? 10 : 0); }
END

expectExit 0 "$HPCC" -c library.cpp
expectFile library.o
ar rc lib/libmine.a library.o
expectExit 0 "$HPCC" -Iinc -DVALUE=4 -Llib main.hpcpp -lmine -o joined
expectExit 7 ./joined
expectExit 0 "$HPCC" -I inc -D VALUE=4 -L lib main.hpcpp -l mine -std=c++20 -g -Wall -fno-inline -o apart
expectExit 17 ./apart
expectExit 0 "$HPCC" -Iinc -DVALUE=4 main.hpcpp library.o
expectExit 7 ./a.out

expectExit 0 "$HPCC" -S -Iinc -DVALUE=4 main.hpcpp
expectFile main.s
expectExit 0 "$HPCC" -E -Iinc -DVALUE=4 main.hpcpp
expectText out 'fromHeader() + fromLibrary() + 4'
expectExit 0 "$HPCC" -fsyntax-only -Iinc -DVALUE=4 main.hpcpp
expectNoFile main.o
expectExit 1 "$HPCC" -Iinc -DVALUE=4 -Werror -Wunused-variable -c -include inc/header.hpp -x c++ broken.cpp

# Levels: -O is the translator's; the back end is at its best but for -O0, or as --backend-O says.
for level in "" -O1 -O2 -O3; do
    expectExit 0 "$HPCC" -show -c $level main.hpcpp
    expectText out ' -O3 -march=native '
done
expectExit 0 "$HPCC" -show -c -O0 main.hpcpp
expectText out ' -O0 -march=native '
expectExit 0 "$HPCC" -show -c -g main.hpcpp
expectText out ' -O0 -march=native '
expectExit 0 "$HPCC" -show -c --backend-O=1 -O3 main.hpcpp
expectText out ' -O1 -march=native '
expectExit 0 "$HPCC" -show -c -march=x86-64 main.hpcpp
expectNoText out 'march=native'
expectText out 'march=x86-64'
# -O3 lets the C++ compiler take square roots that set no errno, unless told otherwise.
printf '#include <cmath>\nstatic_assert((math_errhandling & MATH_ERRNO) == WANTED);\nint main() {}\n' >errno.hpcpp
expectExit 0 "$HPCC" -O3 -DWANTED=0 -c errno.hpcpp
expectExit 0 "$HPCC" -O3 -fmath-errno -DWANTED=1 -c errno.hpcpp
expectExit 0 "$HPCC" -O2 -DWANTED=1 -c errno.hpcpp
# For valgrind: lines, and no instruction that it does not know.
expectExit 0 "$HPCC" -show --for=valgrind main.hpcpp -o main
expectNoText out 'march=native'
expectText out ' -O3 .* -g '
[ "$(uname -m)" != x86_64 ] || expectText out ' -march=x86-64-v3 '
expectExit 0 "$HPCC" -show --for=valgrind -g -march=x86-64 -c main.hpcpp
expectText out ' -O0 .*-march=x86-64 '
expectNoText out 'x86-64-v3\|native\|-g .* -g '
expectExit 2 "$HPCC" --for=gdb main.hpcpp
expectText err 'for=gdb: what a program can be made for is valgrind'
if command -v valgrind >/dev/null; then
    printf '#include <hpspmd>\nint main() { hpspmd::Procs1 p; hpspmd::Adlib::gprintln(p.size()); }\n' >watched.hpcpp
    expectExit 0 "$HPCC" --for=valgrind watched.hpcpp -o watched
    expectExit 0 env HWLOC_COMPONENTS=-pci,-opencl "$HPCC" run --quiet -n 1 valgrind -q --tool=none ./watched
    expectText out '^1$'
fi

# -show runs nothing, -v tells what it runs, --keep keeps the generated C++.
rm -f main.o
expectExit 0 "$HPCC" -show -c main.hpcpp
expectNoFile main.o
expectExit 0 "$HPCC" -v -c -Iinc -DVALUE=4 main.hpcpp
expectText err 'mpicxx.* -c .*main'
cat >extended.hpcpp <<'END'
#include <hpspmd>
void fill(double [[*]] a) { a[0] = 1; }
END
expectExit 0 "$HPCC" --keep -c extended.hpcpp
expectFile extended.hpcc.cpp
expectText extended.hpcc.cpp 'hpspmd::Array<double, hpspmd::Seq> a'
expectExit 0 "$HPCC" --no-checks --emit=cpp extended.hpcpp
expectNoText out 'bounded'
expectExit 0 "$HPCC" --emit=cpp extended.hpcpp
expectText out 'bounded'
expectExit 0 "$HPCC" -show --no-collective-checks -c extended.hpcpp
expectText out '-DHPSPMD_NO_COLLECTIVE_CHECKS'
expectExit 0 "$HPCC" -show --no-collective-checks --collective-checks -c extended.hpcpp
expectNoText out 'HPSPMD_NO_COLLECTIVE_CHECKS'
cat >ghosts.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void step(double [[-,*]] a, double [[-,*]] b, int k) {
    overall (i = a.rng(0) for 1 :) b[i, k] = a[i - 1, 0];
}
END
expectExit 0 "$HPCC" --emit=cpp ghosts.hpcpp
expectText out 'detail::check(a'
expectText out 'detail::check(b'
expectText out 'detail::Nest i_nest(.*part(b,'
expectExit 0 "$HPCC" --no-ghost-checks --emit=cpp ghosts.hpcpp
expectText out 'detail::check(a'
expectNoText out 'detail::Nest'
expectExit 0 "$HPCC" --no-bounds-checks --emit=cpp ghosts.hpcpp
expectText out 'detail::checkFresh(a'
expectNoText out 'detail::check(b'
expectNoText out 'within'
expectText out 'detail::Nest'
expectExit 0 "$HPCC" --no-checks --emit=cpp ghosts.hpcpp
expectNoText out 'detail::check'
expectNoText out 'detail::Nest'
expectExit 0 "$HPCC" --no-checks --ghost-checks --emit=cpp ghosts.hpcpp
expectText out 'detail::checkFresh(a'
expectNoText out 'detail::check(b'
expectExit 0 "$HPCC" --no-checks --bounds-checks --emit=cpp ghosts.hpcpp
expectText out 'detail::check(b'
expectNoText out 'detail::Nest'
expectExit 0 "$HPCC" -show --no-ghost-checks -c ghosts.hpcpp
expectText out '-DHPSPMD_NO_GHOST_CHECKS'
expectExit 0 "$HPCC" -show --no-ghost-checks --ghost-checks -c ghosts.hpcpp
expectNoText out 'HPSPMD_NO_GHOST_CHECKS'

# -fopenmp is for the C++ compiler, too, when it compiles and when it links.
cat >rows.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void clear(double [[-,*]] a) {
    overall (i = a.rng(0) for :) a[i, 0] = 0;
}
int main() {}
END
expectExit 0 "$HPCC" -show -O3 -fopenmp rows.hpcpp -o rows
expectText out ' -fopenmp .* -c '
expectText out ' -fopenmp .*-o rows$'
expectExit 0 "$HPCC" -O3 -fopenmp --emit=cpp rows.hpcpp
expectText out 'inThreads('
for none in "-O3" "-O3 -fopenmp -fno-openmp" "-O2 -fopenmp"; do
    expectExit 0 "$HPCC" $none --emit=cpp rows.hpcpp
    expectNoText out 'inThreads'
done
expectExit 0 "$HPCC" -O2 --pass=fast-nests -fopenmp --emit=cpp rows.hpcpp
expectText out 'inThreads('
expectExit 0 "$HPCC" --help
expectText out 'With -fopenmp'
expectExit 0 "$HPCC" --time-passes --print-after=lowered -c extended.hpcpp
expectText err ' lowered'
expectText err 'void fill(hpspmd::Array<double, hpspmd::Seq> a)'

expectExit 0 "$HPCC" --version
expectText out '^hpcc [0-9]'
expectText out '^MPI: .*mpicxx'
expectExit 0 "$HPCC" --help
expectText out 'hpcc run'
# Warnings are about the user's text, not about the headers of HPspmd.
printf '#include <hpspmd>\nint last(int [[*]] a) { return a[2]; }\n' >strict.hpcpp
expectExit 0 "$HPCC" -c -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Werror strict.hpcpp

finish
