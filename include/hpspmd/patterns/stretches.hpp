// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the elements of a pattern are divided among the threads of the process.

#include <hpspmd/passed_time.hpp>
#include <hpspmd/patterns/rows.hpp>
#include <hpspmd/threads.hpp>

#include <algorithm>

namespace hpspmd::patterns::detail {

/// How many of n elements are timed before threads are started: first a few, which suffices where
/// elements take long; then some more, of which the clock itself takes a small part.
struct Sample {
    Index few, some;

    Sample(Index n, int most)
        : few(std::clamp<Index>(n / (8 * most), 1, 4)),
          some(n < 1024 ? few : std::clamp<Index>(n / (8 * most), few, 64)) {}
};

struct Nothing {
    void operator()() const {}
};

/// piece(k, from, to) for the stretches 0 .. most - 1 of 0 .. n - 1, where 1 < most <= n / 2; in
/// several threads, behind prepare(), if all would take `enough` nanoseconds, which the first few
/// elements show; else in their order. The stretches, and the pieces in which the first of them
/// comes, depend on n and `most` only.
template <class Piece, class Prepare = Nothing>
void runStretches(int most, Index n, double enough, const Piece& piece,
                  const Prepare& prepare = {}) {
    const Sample sample(n, most);
    const std::uint64_t start = hpspmd::detail::moment();
    const auto timeOfAll = [&](Index measured) {
        return hpspmd::detail::nanosecondsSince(start) / static_cast<double>(measured) *
               static_cast<double>(n);
    };
    Index done = sample.few;
    piece(0, Index(0), done);
    double all = timeOfAll(done);
    if (done < sample.some && all < 64 * enough) {
        piece(0, done, sample.some);
        done = sample.some;
        all = timeOfAll(done);
    }
    const auto stretch = [&](int k) {
        const auto begin = [&](int j) { return sample.few + (n - sample.few) * j / most; };
        if (k == 0 && done < sample.some) piece(0, done, sample.some);
        piece(k, k == 0 ? sample.some : begin(k), begin(k + 1));
    };
#if defined(_OPENMP)
    if (all >= enough) {
        prepare();
        hpspmd::detail::forEachThread(most, [&](int k, int threads) {
            for (; k < most; k += threads) stretch(k);
        });
        return;
    }
#endif
    static_cast<void>(all);
    static_cast<void>(prepare);
    for (int k = 0; k < most; ++k) stretch(k);
}

/// The number of stretches for n elements: that of the threads that the target allows, but of at
/// least two elements each.
inline int stretchesOf(const Site& site, Index n) {
    return static_cast<int>(std::min<Index>(n / 2, hpspmd::detail::mostThreads(site)));
}

/// piece(k, from, to) for so many stretches of 0 .. n - 1; prepare() before threads begin.
template <class Piece, class Prepare = Nothing>
void inStretches(int most, Index n, const Piece& piece, const Prepare& prepare = {}) {
    if (most <= 1)
        piece(0, Index(0), n);
    else
        runStretches(most, n, HPSPMD_LEAST_WORK(most), piece, prepare);
}

}  // namespace hpspmd::patterns::detail
