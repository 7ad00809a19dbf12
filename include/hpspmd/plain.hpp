// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// on, at and overall for programs in plain C++, without hpcc. Not part of <hpspmd>, because the
/// names are short.
///     if (On active{p})                                   on (p)
///         for (auto i : overall(x, 1, n - 2))                 overall (i = x for 1 : n - 2)
///             for (auto j : at(y, 3))                             at (j = y[3])
///                 a(i, j) = a(i - 1, j);                              a[i, j] = a[i - 1, j];

#include <hpspmd/active.hpp>
#include <hpspmd/element.hpp>
#include <hpspmd/local.hpp>
#include <hpspmd/overall.hpp>

namespace hpspmd {

using detail::On;
/// `overall(x, triplet, body)`: the argument of a reduction, as in
/// `Adlib::sum(overall(x, Triplet(), [&](auto i) { return a(i) * a(i); }))`.
using detail::overall;

namespace detail {

/// The next block after the number-th that is not empty, and its number.
struct NextBlock {
    Block block;
    Index number;
};
NextBlock nextBlock(const Blocks& blocks, Index number);
[[noreturn]] void raiseNoRun(BorrowedRange x, Index blocks, Where where);

/// The locations of some blocks, as indices; while it lives, the APG is restricted as in `overall`.
class Locations {
public:
    struct End {};

    class Iterator {
    public:
        Iterator(const BorrowedRange& x, const Blocks& blocks)
            : blocks_(blocks.size() > 1 ? &blocks : nullptr),
              range_(x),
              shift_(x.str()),
              block_(blocks.front()) {
            if (block_.count == 0 && blocks_ != nullptr) advance();
        }
        DistributedIndex operator*() const {
            return {range_, block_.localBase + block_.localStep * k_,
                    block_.globalBase + block_.globalStep * k_, shift_};
        }
        Iterator& operator++() {
            if (__builtin_expect(++k_ == block_.count && blocks_ != nullptr, 0)) advance();
            return *this;
        }
        bool operator!=(End) const { return k_ < block_.count; }

    private:
        void advance() {
            const NextBlock next = nextBlock(*blocks_, number_);
            block_ = next.block;
            number_ = next.number;
            k_ = 0;
        }

        const Blocks* blocks_;  // null if there is only one
        BorrowedRange range_;
        Index shift_;
        Block block_;
        Index number_ = 0;
        Index k_ = 0;
    };

    Locations(const BorrowedRange& x, const Blocks& blocks, Where where)
        : active_(x.dim(where), where), range_(x), blocks_(blocks) {}

    Iterator begin() const { return {range_, blocks_}; }
    End end() const { return {}; }

private:
    Active active_;
    BorrowedRange range_;
    Blocks blocks_;
};

/// The same of a single block whose local subscripts go up by `step`: a loop that compilers know.
class RunLocations {
public:
    struct End {
        Index count;
    };

    class Iterator {
    public:
        Iterator(const BorrowedRange& x, const Block& block, Index step)
            : range_(x), shift_(x.str()), block_(block), step_(step) {}
        DistributedIndex operator*() const {
            return {range_, block_.localBase + step_ * k_,
                    block_.globalBase + block_.globalStep * k_, shift_};
        }
        Iterator& operator++() {
            ++k_;
            return *this;
        }
        bool operator!=(End end) const { return k_ != end.count; }

    private:
        BorrowedRange range_;
        Index shift_;
        Block block_;
        Index step_;
        Index k_ = 0;
    };

    RunLocations(const BorrowedRange& x, const Blocks& blocks, Index step, Where where)
        : active_(x.dim(), where), range_(x), block_(blocks.front()), step_(step) {
        if (blocks.size() > 1 || (block_.count > 1 && block_.localStep != step))
            raiseNoRun(x, blocks.size(), where);
    }

    Iterator begin() const { return {range_, block_, step_}; }
    End end() const { return {block_.count}; }

private:
    Active active_;
    BorrowedRange range_;
    Block block_;
    Index step_;
};

/// The locations of a range that need not live as long as the loop: `overall(a.rng(0))`.
template <class L>
class Kept : public L {
public:
    template <class... Rest>
    Kept(const Range& x, const Rest&... rest) : L(x, rest...), range_(x) {}

private:
    Range range_;
};

}  // namespace detail

/// `for (auto i : overall(x, l, u, s))`: the locations x[l : u : s] that this process holds, in
/// increasing order of iteration. Parts may be left out. OutOfBounds, DimensionNotInGroup.
inline detail::Locations overall(const BorrowedRange& x, detail::Bound l = detail::none,
                                 detail::Bound u = detail::none, Index s = 1,
                                 detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(l, u, s, where), where};
}
inline detail::Kept<detail::Locations> overall(Range&& x, detail::Bound l = detail::none,
                                               detail::Bound u = detail::none, Index s = 1,
                                               detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(l, u, s, where), where};
}

/// `for (auto i : at(x, n))`: once where x[n] is held, elsewhere not at all.
inline detail::Locations at(const BorrowedRange& x, Index n,
                            detail::Where where = detail::Where::here()) {
    return overall(x, n, n, 1, where);
}
inline detail::Kept<detail::Locations> at(Range&& x, Index n,
                                          detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(n, n, 1, where), where};
}

/// overall(x, l, u, s) for loops that must be fast, over a range of which each process holds a run:
/// l, l + s, .. lie s slots apart. All ranges but block-cyclic ones do, and subranges with a step.
/// SeveralBlocks.
inline detail::RunLocations run(const BorrowedRange& x, detail::Bound l = detail::none,
                                detail::Bound u = detail::none, Index s = 1,
                                detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(l, u, s, where), s, where};
}
inline detail::Kept<detail::RunLocations> run(Range&& x, detail::Bound l = detail::none,
                                              detail::Bound u = detail::none, Index s = 1,
                                              detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(l, u, s, where), s, where};
}

}  // namespace hpspmd
