// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul_direct.hpcpp in plain C++17, without hpcc.
//
// The idea: an inner loop over a sequential dimension needs no index of ours. A row of `a` and a
// column of `b` are memory, from &a(i, 0) and &b(0, j) on, with the strides that the arrays tell;
// what is checked is checked once per row and column. The nest is a function of its own, because
// compilers spend little on loops in main().
//
// usage: matmul_direct [n]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <iomanip>
#include <string>

using namespace hpspmd;

using Matrix = Array<double, Dist, Dist>;  // double [[-,-]]
using Rows = Array<double, Dist, Seq>;     // double [[-,*]]
using Columns = Array<double, Seq, Dist>;  // double [[*,-]]

void multiply(Matrix c, Rows a, Columns b) {
    const Index n = a.size(1), across = a.stride(1), down = b.stride(0);
    for (auto i : overall(c.rng(0)))
        for (auto j : overall(c.rng(1))) {
            const double *row = &a(i, 0), *column = &b(0, j);
            double sum = 0;
            for (Index k = 0; k < n; ++k) sum += row[k * across] * column[k * down];
            c(i, j) = sum;
        }
}

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 60;
    const Procs2 p;
    if (On active{p}) {
        const BlockRange x(n, p.dim(0)), y(n, p.dim(1));

        const Matrix c = create<double>(p, x, y);
        const Rows a = create<double>(p, x, n);
        const Columns b = create<double>(p, n, y);

        for (auto i : overall(x))
            for (Index k = 0; k < n; ++k) a(i, k) = double((i.global + 2 * k) % 7);
        for (auto j : overall(y))
            for (Index k = 0; k < n; ++k) b(k, j) = double((3 * k + j.global) % 5);

        multiply(c, a, b);
        const auto [largest, where] = Adlib::maxloc(c);
        Adlib::gprintln(std::setprecision(10), "sum ", Adlib::sum(c), ", largest ", largest,
                        " at [", where[0], ", ", where[1], "]");
    }
}
