// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of Q3 in plain C++ with our headers, without hpcc.
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include "../bench.hpp"
#include "model.hpp"

using namespace hpspmd;

void sumProducts(Array<double, Seq> sums, Array<double, Dist, Seq> diff) {
    const Range x = diff.rng(0);
    const Index items = diff.size(1);
    const Array<double, Dist, Seq> products = create<double>(apg(), x, items * items);
    for (auto k : run(x)) {
        const double* const residual = &diff(k, 0);
        double* product = &products(k, 0);
        for (Index i = 0; i < items; ++i)
            for (Index j = 0; j < items; ++j) *product++ = residual[i] * residual[j];
    }
    Adlib::sumDim(sums, products, 0);
}

int main(int argc, char** argv) {
    const auto [examinees, rounds] = bench::arguments(argc, argv, 2551, 20);
    const Index items = 75;
    const Procs1 p;
    if (On active{p}) {
        const BlockRange x(examinees, p.dim(0));
        const Array<double, Dist, Seq> diff = create<double>(p, x, items);
        const Array<double, Seq> sums = create<double>(p, items * items);
        for (auto k : overall(x))
            for (Index j = 0; j < items; ++j) diff(k, j) = residual(k.global, j, items);

        const double start = bench::seconds();
        for (long round = 0; round < rounds; ++round) sumProducts(sums, diff);
        const double slowest = Adlib::maxval(bench::seconds() - start);
        const double answer = Adlib::dotProduct(sums, sums);
        if (apg().rank() == 0) bench::report(slowest / double(rounds), answer);
    }
}
