// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// monte_carlo_patterns.hpcpp as loops, in each process: what the pattern must give.
//
// usage: monte_carlo_patterns [seeds] [points of each]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <cstdint>
#include <iomanip>
#include <string>

using namespace hpspmd;

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 1'000;
    const int points = argc > 2 ? std::stoi(argv[2]) : 200;
    const Procs1 p;
    long all = 0;
    for (Index i = 0; i < n; ++i) {
        std::uint32_t seed = std::uint32_t(i) * 2654435761u;
        const auto next = [&seed] {
            seed = seed * 1664525u + 1013904223u;
            return double(seed >> 8) * 0x1p-24;
        };
        for (int k = 0; k < points; ++k) {
            const double x = next(), y = next();
            if (x * x + y * y < 1) ++all;
        }
    }
    if (On active{p})
        Adlib::gprintln(all, " of ", n * points, " points, pi is about ", std::setprecision(10),
                        4.0 * double(all) / double(n * points));
}
