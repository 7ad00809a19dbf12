// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// red_black.hpcpp in plain C++17, without hpcc.
//
// The idea: <hpspmd/plain.hpp> has on, overall and at for ordinary C++. An array type names its
// slots, Dist for `-` and Seq for `*`; a loop over overall(x, l, u, s) runs over the locations that
// this process holds; and a(i - 1, j) is an element, of which every access is checked. Where each
// access counts, as in relax(), local(a) holds what accesses need in registers, run() is overall()
// for ranges without gaps, and a row is checked once: as fast as a loop over pointers.
//
// usage: red_black [n] [sweeps]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <iomanip>
#include <string>

using namespace hpspmd;

using Matrix = Array<double, Dist, Dist>;  // double [[-,-]]

void relax(Matrix a, int sweeps) {
    const Range x = a.rng(0), y = a.rng(1);
    const Index n = x.size(), m = y.size();
    const auto u = local(a);
    for (int it = 0; it < sweeps; ++it) {
        Adlib::writeHalo(a);
        for (auto i : run(x, 1, n - 2)) {
            const auto above = u.row(i - 1), row = u.row(i), below = u.row(i + 1);
            for (auto j : run(y, 1 + (i.global + it) % 2, m - 2, 2))
                row(j) = 0.25 * (above(j) + below(j) + row(j - 1) + row(j + 1));
        }
    }
}

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 40;
    const int sweeps = argc > 2 ? std::stoi(argv[2]) : 200;
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
        relax(a, sweeps);
        const double squares = Adlib::sum(overall(x, Triplet(), [&](auto i) {
            return overall(y, Triplet(), [&a, i](auto j) { return a(i, j) * a(i, j); });
        }));
        Adlib::gprintln("after ", sweeps, " sweeps the sum of squares is ", std::setprecision(10),
                        squares);
    }
}
