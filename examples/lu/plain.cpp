// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lu.hpcpp in plain C++17, without hpcc.
//
// The idea: section(a, ..) takes what stands between [[ ]]: Triplet() for `:`, integers, indices.
// `for (auto j : at(x, k))` runs once where x[k] is held, and not at all elsewhere. local(a) stands
// for a where each access counts.
//
// usage: lu [n]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <string>

using namespace hpspmd;

using Columns = Array<double, Seq, Dist>;  // double [[*,-]]
using Vector = Array<double, Seq>;         // double [[*]]

// The row at or below k that holds the largest element of a column.
Index pivotRow(Vector column, Index k) {
    Index best = k;
    for (Index i = k + 1; i < column.size(0); ++i)
        if (std::abs(column(i)) > std::abs(column(best))) best = i;
    return best;
}

// Overwrites a by L (below the diagonal, whose own is 1) and U; returns the number of exchanges.
Index factorise(Columns a) {
    const Range x = a.rng(1);
    const Index n = x.size();
    const Vector column = create<double>(apg(), n);
    const auto u = local(a);
    const auto c = local(column);
    Index exchanges = 0;
    for (Index k = 0; k < n; ++k) {
        Adlib::remap(column, section(a, Triplet(), k));  // a[[:, k]]
        const Index pivot = pivotRow(column, k);
        if (pivot != k) {
            ++exchanges;
            std::swap(column(k), column(pivot));
            for (auto j : overall(x)) std::swap(a(k, j), a(pivot, j));
        }
        for (auto j : at(x, k))
            for (Index i = k + 1; i < n; ++i) a(i, j) /= column(k);
        for (auto j : run(x, k + 1, n - 1))
            for (Index i = k + 1; i < n; ++i) u(i, j) -= c(i) / c(k) * u(k, j);
    }
    return exchanges;
}

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 48;
    const Procs1 p;
    if (On active{p}) {
        const CyclicRange x(n, p.dim(0));
        const Columns a = create<double>(p, n, x);
        for (auto j : overall(x))
            for (Index i = 0; i < n; ++i) a(i, j) = double(std::min(n - 1 - i, j.global) + 1);

        const Index exchanges = factorise(a);

        const Array<double, Dist> diagonal = create<double>(p, x);
        for (auto j : overall(x)) diagonal(j) = a(j.global, j);
        const double sign = exchanges % 2 == 0 ? 1.0 : -1.0;
        Adlib::gprintln(std::setprecision(10), "determinant ", sign * Adlib::product(diagonal),
                        ", ", exchanges, " row exchanges");
    }
}
