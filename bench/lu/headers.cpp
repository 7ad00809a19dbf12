// LU factorisation without pivoting, columns dealt cyclically, in plain C++ with our headers.
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include "../bench.hpp"

using namespace hpspmd;

// Row j of `a` is column j of the matrix, which L and U replace.
void factorise(Array<double, Dist, Seq> a, Array<double, Seq> pivot) {
    const Range x = a.rng(0);
    const Index n = x.size();
    const auto u = local(a);
    const double* const by = pivot.data();
    for (Index k = 0; k + 1 < n; ++k) {
        for (auto j : at(x, k)) {
            double* const column = &u(j, 0);
            for (Index i = k + 1; i < n; ++i) column[i] /= column[k];
        }
        Adlib::remap(pivot, section(a, k, Triplet()));
        for (auto j : run(x, k + 1, n - 1)) {
            double* const column = &u(j, 0);
            for (Index i = k + 1; i < n; ++i) column[i] -= by[i] * column[k];
        }
    }
}

int main(int argc, char** argv) {
    const auto [n, rounds] = bench::arguments(argc, argv, 300, 20);
    const Procs1 p;
    if (On active{p}) {
        const CyclicRange x(n, p.dim(0));
        const Array<double, Dist, Seq> a = create<double>(p, x, n);  // row j is column j
        const Array<double, Seq> pivot = create<double>(p, n);
        double elapsed = 0;
        for (long round = 0; round < rounds; ++round) {
            for (auto j : run(x))
                for (Index i = 0; i < n; ++i)
                    a(j, i) = double(std::min(i, j.global) + 1) + (i == j.global ? n : 0);
            const double start = bench::seconds();
            factorise(a, pivot);
            elapsed += bench::seconds() - start;
        }
        const double slowest = Adlib::maxval(elapsed);
        const double sum = Adlib::dotProduct(a, a);
        if (apg().rank() == 0) bench::report(slowest / double(rounds), sum);
    }
}
