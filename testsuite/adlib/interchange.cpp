// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// interchange IN OUT: reads the table of doubles IN and writes it as OUT, by columns.
/// interchange.py compares with what NumPy reads and writes.

#include <hpspmd>

using namespace hpspmd;

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const auto info = Adlib::look(argv[1]);
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, info.shape[0], CyclicRange(info.shape[1], p.dim(0)));
    Adlib::read(a, argv[1]);
    Adlib::write(argv[2], a);
}
