// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red-black relaxation of Laplace's equation in plain C++ with our headers, without hpcc.
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include "../bench.hpp"

using namespace hpspmd;

using Matrix = Array<double, Dist, Dist>;

void relax(Matrix a, long sweeps) {
    const Range x = a.rng(0), y = a.rng(1);
    const Index n = x.size();
    const auto u = local(a);
    for (long it = 0; it < sweeps; ++it) {
        Adlib::writeHalo(a);
        for (auto i : run(x, 1, n - 2)) {
            const auto above = u.row(i - 1), row = u.row(i), below = u.row(i + 1);
            for (auto j : run(y, 1 + (i.global + it) % 2, n - 2, 2))
                row(j) = 0.25 * (above(j) + below(j) + row(j - 1) + row(j + 1));
        }
    }
}

int main(int argc, char** argv) {
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    const Procs2 p;
    if (On active{p}) {
        const ExtBlockRange x(n, p.dim(0), 1, 1), y(n, p.dim(1), 1, 1);
        const Matrix a = create<double>(p, x, y);
        for (auto i : overall(x))
            for (auto j : overall(y)) {
                const Index r = i.global, c = j.global;
                const bool edge = r == 0 || r == n - 1 || c == 0 || c == n - 1;
                a(i, j) = edge ? double(r * r - c * c) : 0.0;
            }

        const double start = bench::seconds();
        relax(a, sweeps);
        const double slowest = Adlib::maxval(bench::seconds() - start);
        const double sum = Adlib::dotProduct(a, a);
        if (apg().rank() == 0) bench::report(slowest / double(sweeps), sum);
    }
}
