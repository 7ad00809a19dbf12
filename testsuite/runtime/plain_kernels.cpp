// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plain C++ of which GCC must make vector code at -O3 (plain_code.sh): a line that ends in
/// `// vector` begins such a loop, with all checks.

#include <hpspmd/plain.hpp>

using namespace hpspmd;

using Matrix = Array<double, Dist, Dist>;

void smooth(Matrix b, Matrix a) {
    const Range x = a.rng(0), y = a.rng(1);
    const auto u = local(a), v = local(b);
    for (auto i : run(x, 1, x.size() - 2)) {
        const auto above = u.row(i - 1), row = u.row(i), below = u.row(i + 1), to = v.row(i);
        for (auto j : run(y, 1, y.size() - 2))  // vector
            to(j) = 0.25 * (above(j) + below(j) + row(j - 1) + row(j + 1));
    }
}

void relax(Matrix a, int sweep) {
    const Range x = a.rng(0), y = a.rng(1);
    const auto u = local(a);
    for (auto i : run(x, 1, x.size() - 2)) {
        const auto above = u.row(i - 1), row = u.row(i), below = u.row(i + 1);
        for (auto j : run(y, 1 + (i.global + sweep) % 2, y.size() - 2, 2))  // vector
            row(j) = 0.25 * (above(j) + below(j) + row(j - 1) + row(j + 1));
    }
}

void scale(Array<double, Dist> a, Array<double, Dist> b, double factor) {
    const auto u = local(a), v = local(b);
    for (auto i : run(a.rng(0))) u(i) = factor * v(i);  // vector
}

void add(Array<float, Seq, Dist> a, Index k) {
    const auto sum = local(a).row(0), part = local(a).row(k);
    for (auto j : run(a.rng(1))) sum(j) += part(j);  // vector
}
