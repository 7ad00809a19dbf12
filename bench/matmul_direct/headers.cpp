// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Direct matrix multiplication in plain C++ with our headers, without hpcc.
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include "../bench.hpp"

using namespace hpspmd;

void multiply(Array<double, Dist, Dist> c, Array<double, Dist, Seq> a, Array<double, Seq, Dist> b) {
    const Index n = a.size(1), step = b.stride(0);
    const auto to = local(c);
    for (auto i : run(c.rng(0)))
        for (auto j : run(c.rng(1))) {
            const double *row = &a(i, 0), *column = &b(0, j);
            double sum = 0;
            for (Index k = 0; k < n; ++k) sum += row[k] * column[k * step];
            to(i, j) = sum;
        }
}

int main(int argc, char** argv) {
    const auto [n, rounds] = bench::arguments(argc, argv, 150, 20);
    const Procs2 p;
    if (On active{p}) {
        const BlockRange x(n, p.dim(0)), y(n, p.dim(1));
        const Array<double, Dist, Dist> c = create<double>(p, x, y);
        const Array<double, Dist, Seq> a = create<double>(p, x, n);
        const Array<double, Seq, Dist> b = create<double>(p, n, y);
        for (auto i : overall(x))
            for (Index k = 0; k < n; ++k) a(i, k) = double((i.global + 2 * k) % 7);
        for (auto j : overall(y))
            for (Index k = 0; k < n; ++k) b(k, j) = double((3 * k + j.global) % 5);

        const double start = bench::seconds();
        for (long round = 0; round < rounds; ++round) multiply(c, a, b);
        const double slowest = Adlib::maxval(bench::seconds() - start);
        const double sum = Adlib::dotProduct(c, c);
        if (apg().rank() == 0) bench::report(slowest / double(rounds), sum);
    }
}
