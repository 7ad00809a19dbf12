// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the elements of a pattern are divided among the threads of the process.

#include <hpspmd/patterns/rows.hpp>
#include <hpspmd/threads.hpp>

#include <chrono>

namespace hpspmd::patterns::detail {

inline double nanoseconds() {
    using namespace std::chrono;
    return static_cast<double>(
        duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

/// piece(k, from, to) for stretches of 0 .. n - 1, stretch k of the number returned; in several
/// threads if that is worth it, which the first few elements show. The stretches depend on n and
/// the number of threads only. The first of them comes in two parts.
template <class Piece>
int inStretches(const Site& site, Index n, const Piece& piece) {
    const int most = static_cast<int>(std::min<Index>(n / 2, hpspmd::detail::mostThreads(site)));
    if (most <= 1) {
        piece(0, Index(0), n);
        return 1;
    }
    const Index sample = std::max<Index>(1, std::min<Index>(64, n / (8 * most)));
    const double start = nanoseconds();
    piece(0, Index(0), sample);
    const double all =
        (nanoseconds() - start) / static_cast<double>(sample) * static_cast<double>(n);
    const auto stretch = [&](int k) {
        piece(k, k == 0 ? sample : n * k / most, n * (k + 1) / most);
    };
#if defined(_OPENMP)
    if (all >= HPSPMD_LEAST_WORK(most)) {
        hpspmd::detail::forEachThread(most, [&](int k, int threads) {
            for (; k < most; k += threads) stretch(k);
        });
        return most;
    }
#endif
    static_cast<void>(all);
    for (int k = 0; k < most; ++k) stretch(k);
    return most;
}

}  // namespace hpspmd::patterns::detail
