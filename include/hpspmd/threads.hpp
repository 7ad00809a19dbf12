// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Nests whose outer iterations are divided among the threads of a process. hpcc -O3 -fopenmp emits
/// calls of inThreads(); compiled without OpenMP they use one thread.

#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>
#include <hpspmd/joined.hpp>
#include <hpspmd/nest.hpp>
#include <hpspmd/target.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <exception>
#include <functional>
#include <tuple>
#include <type_traits>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define HPSPMD_PLAIN_THREADS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HPSPMD_PLAIN_THREADS
#endif
#endif
#if defined(HPSPMD_PLAIN_THREADS)
#include <thread>
#endif

namespace hpspmd::detail {

/// Which of the threads of a nest this is, from 0; 0 outside of nests.
inline thread_local int threadNumber = 0;

/// How many steps a nest must take to be worth several threads: to start and to join them takes as
/// long as some thousand steps, longer with more of them.
#if !defined(HPSPMD_LEAST_WORK)
#define HPSPMD_LEAST_WORK(threads) (24576.0 + 1024.0 * (threads))
#endif

/// The first locations of n stretches that threads may work on side by side, and the end.
using Cuts = std::function<std::vector<Index>(int n)>;

/// What of a nest's outermost loop is the host's: all of it, or what devices leave of a nest that
/// they share with it.
struct RunLeft : Run {
    bool isByDevices;
};

/// How many steps a nest takes, about: the product of the lengths of loops inside one another, each
/// told by its run or its number of iterations.
class Work {
public:
    template <class... Loops>
    explicit Work(const Loops&... loops)
        : steps_((1.0 * ... * lengthOf(loops))), isLeftByDevices_((isLeft(loops) || ...)) {}

    /// The same, or nothing worth a thread.
    Work onlyIf(bool condition) const {
        Work result = *this;
        if (!condition) result.steps_ = 0;
        return result;
    }
    /// The same, in the function of that name, "Sor::relax"; the compiler knows names without
    /// classes only, and none of the function round a lambda.
    Work in(const char* function) const {
        Work result = *this;
        result.function_ = function;
        return result;
    }

    /// The same, of a method's loop, if threads may divide it.
    template <class Method>
    Work of(const Method& method) const {
        Work result = onlyIf(method.mayUseThreads());
        result.cuts_ = method.cuts();
        return result;
    }

    double steps() const { return steps_; }
    /// Null if it has not been told.
    const char* function() const { return function_; }
    /// Null if iterations may be divided anywhere.
    const Cuts* cuts() const { return cuts_; }
    /// Devices run the rest of the nest.
    bool isLeftByDevices() const { return isLeftByDevices_; }

private:
    static double lengthOf(const Run& run) {
        return run.first <= run.last ? static_cast<double>(run.last - run.first + 1) : 0.0;
    }
    static double lengthOf(const RunLeft& run) { return lengthOf(static_cast<const Run&>(run)); }
    /// A number, or a range, of which a process holds about as much as its memory has room for.
    template <class L>
    static double lengthOf(const L& loop) {
        if constexpr (std::is_convertible_v<const L&, const BorrowedRange&>) {
            const BorrowedRange& x = loop;
            return x.isNull()
                       ? 0.0
                       : static_cast<double>(std::min(x.size(), x.record()->format->shell()));
        } else {
            return static_cast<double>(loop);
        }
    }

    static bool isLeft(const RunLeft& run) { return run.isByDevices; }
    template <class L>
    static bool isLeft(const L&) {
        return false;
    }

    double steps_;
    bool isLeftByDevices_;
    const char* function_ = nullptr;
    const Cuts* cuts_ = nullptr;
};

/// Thread k's share of n of the iterations first, first + step, .. last: shares follow one another,
/// and but for the last are multiples of `unit`. The same thread so gets about the same rows in
/// every nest, and memory near to it for rows that it is the first to write.
inline Run shareOf(Run rows, Index step, int k, int n, Index unit = 1) {
    const Index first = rows.first, count = first <= rows.last ? (rows.last - first) / step + 1 : 0;
    const Index units = (count + unit - 1) / unit;
    rows.first = first + units * k / n * unit * step;
    rows.last = first + (std::min(units * (k + 1) / n * unit, count) - 1) * step;
    return rows;
}

/// The same of a nest that may be divided at these locations only.
inline Run shareOf(const Run& rows, Index step, int k, int n, const std::vector<Index>& cuts) {
    const auto place = [&](int at) {
        return cuts[(cuts.size() - 1) * static_cast<std::size_t>(at) / static_cast<std::size_t>(n)];
    };
    return rows.cut(rows.held().notBelow(place(k)), rows.held().notBelow(place(k + 1)) - 1, step);
}

/// x.size() and a.size(r), but 0 where that would raise an error.
inline Index sizeOf(const BorrowedRange& x) { return extentOf(x); }
template <class T, class... Slots>
Index sizeOf(const Array<T, Slots...>& a, Index r) {
    const bool isKnown = a.valid() && r >= 0 && r < static_cast<Index>(sizeof...(Slots));
    return isKnown ? extentOf(a.maps()[static_cast<std::size_t>(r)].range) : 0;
}

/// Types on which no operator of the program's works.
template <class T>
inline constexpr bool isNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
inline constexpr bool isNumber<std::complex<T>> = std::is_arithmetic_v<T>;

template <class... T>
inline constexpr bool areNumbers = (isNumber<std::decay_t<T>> && ...);
template <class T, class... Slots>
constexpr bool holdsNumbers(const Array<T, Slots...>&) {
    return isNumber<std::remove_const_t<T>>;
}

/// Part of the iterations of a loop over blocks, as blocks: those with the numbers from .. to - 1.
class BlockShare {
public:
    class Iterator {
    public:
        Iterator(const BlockShare* share, Index k) : share_(share), k_(k) {}
        Block operator*() const { return share_->block(k_); }
        Iterator& operator++() {
            ++k_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return k_ != other.k_; }

    private:
        const BlockShare* share_;
        Index k_;
    };

    BlockShare(const Blocks& blocks, Index from, Index to) : blocks_(blocks), last_(-1) {
        Index before = 0;  // iterations of the blocks up to k
        for (Index k = 0; k < blocks.size() && before < to; ++k) {
            const Index count = blocks[k].count;
            if (before <= from) first_ = k, skipped_ = from - before;
            last_ = k;
            left_ = to - before;
            before += count;
        }
    }

    Iterator begin() const { return {this, first_}; }
    Iterator end() const { return {this, last_ + 1}; }

private:
    Block block(Index k) const {
        Block block = blocks_[k];
        if (k == last_) block.count = std::min(block.count, left_);
        if (k == first_) {
            block.count -= skipped_;
            block.globalBase += block.globalStep * skipped_;
            block.localBase += block.localStep * skipped_;
        }
        return block;
    }

    Blocks blocks_;
    Index first_ = 0, last_;  // blocks, by number
    Index skipped_ = 0;       // iterations of the first one that come before
    Index left_ = 0;          // iterations of the last one up to the end
};

inline Index iterationsOf(const Blocks& blocks) {
    Index count = 0;
    for (const Block& block : blocks) count += block.count;
    return count;
}

/// A nest about to run: how much it does, and where it stands.
struct NestHere {
    Work work;
    Site site;

    NestHere(const Work& work, Site site = Site::here()) : work(work), site(site) {
        if (work.function() != nullptr) this->site.function = work.function();
        if (work.isLeftByDevices()) this->site = this->site.withKernel();
    }

    double steps() const { return work.steps(); }
    const Cuts* cuts() const { return work.cuts(); }
};

#if defined(_OPENMP)

/// body(k, n) in n threads, k = 0 .. n - 1; returns n, which is at most `most`. All have the active
/// group of the caller, and are in its nest. What a thread raises is raised here; of several
/// errors, the one of the first rows.
template <class Body>
int forEachThread(int most, const Body& body) {
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(most));
    const GroupRecord* const active = activeGroup;
    const Nesting nest = nesting;
    const auto work = [&](int k, int n) {
        const int outer = threadNumber;
        const GroupRecord* const own = activeGroup;
        const Nesting round = nesting;
        threadNumber = k;
        activeGroup = active;
        nesting = nest;
        try {
            body(k, n);
        } catch (...) {
            errors[static_cast<std::size_t>(k)] = std::current_exception();
        }
        nesting = round;
        activeGroup = own;
        threadNumber = outer;
    };
    int count = most;
#if defined(HPSPMD_PLAIN_THREADS)
    // ThreadSanitizer knows how these wait for one another, but not how OpenMP's do.
    std::vector<std::thread> threads;
    for (int k = 1; k < most; ++k) threads.emplace_back(work, k, most);
    work(0, most);
    for (std::thread& thread : threads) thread.join();
#else
#pragma omp parallel num_threads(most)
    {
        const int k = omp_get_thread_num();
        if (k == 0) count = omp_get_num_threads();
        work(k, omp_get_num_threads());
    }
#endif
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    return count;
}

#endif

#if defined(_OPENMP)

/// piece(k, n) in n threads, k = 0 .. n - 1, and what they return joined in that order.
template <class Joins, class Piece>
auto joinedOf(int most, const Piece& piece) {
    if constexpr (std::tuple_size_v<Joins> == 0) {
        forEachThread(most, piece);
    } else {
        std::vector<decltype(piece(0, 1))> pieces(static_cast<std::size_t>(most));
        const int count = forEachThread(
            most, [&](int k, int n) { pieces[static_cast<std::size_t>(k)] = piece(k, n); });
        for (int k = 1; k < count; ++k)
            join(Joins(), pieces[0], pieces[static_cast<std::size_t>(k)]);
        return pieces[0];
    }
}

#endif

/// body(rows, values...) as apart() calls it, by several threads if that is worth it: each gets a
/// share of the rows, which are those of a loop with this step, and returns its numbers to join.
///
///     sum = inThreads(Work(i_run, j_run), [&](const auto& i_run, const auto& j_run, auto sum) {
///         for (Index i = i_run.first; i <= i_run.last; ++i) ..
///         return sum;
///     }, i_run, j_run, bySum(sum));
template <Index step = 1, class Body, class... Values>
auto inThreads([[maybe_unused]] const NestHere& work, const Body& body, const Run& rows,
               const Values&... values) {
#if defined(_OPENMP)
    const int most = mostThreads(work.site);
    if (most > 1 && rows.last - rows.first >= step && work.steps() > HPSPMD_LEAST_WORK(most)) {
        const std::vector<Index> cuts =
            work.cuts() != nullptr ? (*work.cuts())(most) : std::vector<Index>();
        return joinedOf<JoinsOf<Values...>>(most, [&](int k, int n) {
            const Run share =
                cuts.empty() ? shareOf(rows, step, k, n) : shareOf(rows, step, k, n, cuts);
            return apart(body, share, startOf(values, k)...);
        });
    }
#endif
    return apart(body, rows, startOf(values, 0)...);
}

/// The same for the general form of a nest, whose loops are over blocks.
///
///     sum = inThreads(Work(x), [&](const BlockShare& i_share, auto sum) {
///         for (const Block& i_block : i_share) ..
///         return sum;
///     }, x.localBlocks(), bySum(sum));
template <class Body, class... Values>
auto inThreads([[maybe_unused]] const NestHere& work, const Body& body, const Blocks& blocks,
               const Values&... values) {
    const Index count = iterationsOf(blocks);
#if defined(_OPENMP)
    const int most = count > 0 ? mostThreads(work.site) : 1;  // targets are for what there is to do
    if (most > 1 && count > 1 && work.cuts() == nullptr && work.steps() > HPSPMD_LEAST_WORK(most))
        return joinedOf<JoinsOf<Values...>>(most, [&](int k, int n) {
            return body(BlockShare(blocks, count * k / n, count * (k + 1) / n),
                        startOf(values, k)...);
        });
#endif
    return body(BlockShare(blocks, 0, count), startOf(values, 0)...);
}

/// The number r of rows in which n threads form a grid, r x n / r, so that each gets part of the
/// rows and part of the columns with the least sum of its two sides.
inline int rowsOfGrid(int n, Index rows, Index columns) {
    int best = n;
    Index least = rows / n + columns;
    for (int across = n - 1; across > 0; --across) {
        if (n % across != 0 || rows / across + columns / (n / across) >= least) continue;
        best = across;
        least = rows / across + columns / (n / across);
    }
    return best;
}

/// body(rows, columns, values...) for sums of products (sumsOfProducts()), by several threads if
/// that is worth it: each gets part of the rows and part of the columns, in whole tiles. It copies
/// the columns' rows for itself, so fewer are better.
template <class Body, class... Values>
void inThreadGrid([[maybe_unused]] const NestHere& work, const Body& body, const Run& rows,
                  const Run& columns, const Values&... values) {
#if defined(_OPENMP)
    const int most = mostThreads(work.site);
    if (most > 1 && work.steps() > HPSPMD_LEAST_WORK(most)) {
        forEachThread(most, [&](int k, int n) {
            const int down =
                rowsOfGrid(n, rows.last - rows.first + 1, columns.last - columns.first + 1);
            const int across = n / down;
            apart(body, shareOf(rows, 1, k / across, down, rowsPerTile),
                  shareOf(columns, 1, k % across, across, packsPerTile * Lanes<double>::count),
                  values...);
        });
        return;
    }
#endif
    apart(body, rows, columns, values...);
}

}  // namespace hpspmd::detail
