// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes an array of so many megabytes over all processes and writes all of it; limits.py runs it.

#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <cstdlib>

using namespace hpspmd;

int main(int, char** argv) {
    const Procs1 p;
    const On active{p};
    const BlockRange x(std::atol(argv[1]) * 1'000'000 / 8, p.dim(0));
    const auto a = create<double>(p, x);
    for (auto i : overall(x)) a(i) = 1;
    Adlib::gprintln("sum ", Adlib::sum(a));
}
