// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the elements of a pattern are divided among the threads of the process.

#include <hpspmd/passed_time.hpp>
#include <hpspmd/patterns/rows.hpp>
#include <hpspmd/threads.hpp>

#include <algorithm>
#include <atomic>

namespace hpspmd::patterns::detail {

/// How many of n elements are timed before threads are started: first a few, which suffices where
/// elements take long; then some more, of which the clock itself takes a small part.
struct Sample {
    Index few, some;

    Sample(Index n, int most) : few(1), some(1) {
        if (n < 16 * Index{most}) return;
        const Index part = n / (8 * most);
        few = std::min<Index>(part, 4);
        some = n < 1024 ? few : std::min<Index>(part, 64);
    }
};

/// What the calls of a chain have shown so far: up to so many elements take a sixteenth of the time
/// that is worth threads, so that the next few calls need no clock.
class Shown {
public:
    constexpr Shown() = default;
    Shown(const Shown& other)
        : elements_(other.elements_.load(std::memory_order_relaxed)),
          calls_(other.calls_.load(std::memory_order_relaxed)) {}

    /// True for a call with n elements that needs none.
    bool isShort(Index n) {
        const int left = calls_.load(std::memory_order_relaxed);
        if (left == 0 || n > elements_.load(std::memory_order_relaxed)) return false;
        calls_.store(left - 1, std::memory_order_relaxed);
        return true;
    }
    /// n elements take `all` nanoseconds; `enough` are worth threads.
    void note(Index n, double all, double enough) {
        const double most = static_cast<double>(n) * enough / (16 * std::max(all, 1.0));
        elements_.store(static_cast<Index>(std::min(most, 1e15)), std::memory_order_relaxed);
        calls_.store(31, std::memory_order_relaxed);
    }

private:
    // Threads may take turns here: each of them then sees some call's numbers.
    std::atomic<Index> elements_{0};
    std::atomic<int> calls_{0};
};

/// count * k / most, of numbers that are not negative; processors divide short ones sooner.
inline Index partOf(Index count, int k, int most) {
    if (count < (1 << 18) && most <= (1 << 13))
        return static_cast<std::uint32_t>(count) * static_cast<std::uint32_t>(k) /
               static_cast<std::uint32_t>(most);
    return count * k / most;
}

struct Nothing {
    void operator()() const {}
};

/// piece(k, from, to) for the stretches 0 .. most - 1 of 0 .. n - 1, where 1 < most <= n / 2; in
/// several threads, behind prepare(), if all would take `enough` nanoseconds, which the first few
/// elements show, or earlier calls; else in their order. The stretches, and the pieces in which the
/// first of them comes, depend on n and `most` only.
template <class Piece, class Prepare = Nothing>
void runStretches(int most, Index n, double enough, Shown& shown, const Piece& piece,
                  const Prepare& prepare = {}) {
    const Sample sample(n, most);
    Index done = 0;
    const auto take = [&](Index end) {
        if (done < end) piece(0, done, end);
        done = std::max(done, end);
    };
    const auto begin = [&](int k) {
        return k == most ? n : sample.few + partOf(n - sample.few, k, most);
    };
    const auto stretch = [&](int k, Index from, Index to) {
        if (k > 0) return piece(k, from, to);
        take(sample.few);
        take(sample.some);
        piece(0, sample.some, to);
    };
#if defined(_OPENMP)
    if (!shown.isShort(n)) {
        const std::uint64_t start = hpspmd::detail::moment();
        const auto timeOfAll = [&] {
            return hpspmd::detail::nanosecondsSince(start) / static_cast<double>(done) *
                   static_cast<double>(n);
        };
        take(sample.few);
        double all = timeOfAll();
        if (done < sample.some && all < 64 * enough) {
            take(sample.some);
            all = timeOfAll();
        }
        if (all >= enough) {
            prepare();
            hpspmd::detail::forEachThread(most, [&](int k, int threads) {
                for (; k < most; k += threads) stretch(k, begin(k), begin(k + 1));
            });
            return;
        }
        shown.note(n, all, enough);
    }
#endif
    static_cast<void>(enough);
    static_cast<void>(shown);
    static_cast<void>(prepare);
    Index from = sample.few;
    for (int k = 0; k < most; ++k) {
        const Index to = begin(k + 1);
        stretch(k, from, to);
        from = to;
    }
}

/// True if neither the environment nor `on` says where patterns run.
inline bool noTargetIsNamed() {
    return !hpspmd::detail::targetsAreNamed &&
           hpspmd::detail::activeTarget.kind() == hpspmd::detail::TargetKind::None;
}

/// The number of stretches for n elements: that of the threads that the target allows, but of at
/// least two elements each.
inline int stretchesOf(const Site& site, Index n) {
    return static_cast<int>(std::min<Index>(n / 2, hpspmd::detail::mostThreads(site)));
}

/// piece(k, from, to) for so many stretches of 0 .. n - 1; prepare() before threads begin.
template <class Piece, class Prepare = Nothing>
void inStretches(int most, Index n, Shown& shown, const Piece& piece, const Prepare& prepare = {}) {
    if (most <= 1)
        piece(0, Index(0), n);
    else
        runStretches(most, n, HPSPMD_LEAST_WORK(most), shown, piece, prepare);
}

}  // namespace hpspmd::patterns::detail
