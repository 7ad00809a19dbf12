#pragma once
/// on, at and overall for programs in plain C++, without hpcc. Not part of <hpspmd>, because the
/// names are short.
///     if (On active{p})                                   on (p)
///         for (auto i : overall(x, 1, n - 2))                 overall (i = x for 1 : n - 2)
///             for (auto j : at(y, 3))                             at (j = y[3])
///                 a(i, j) = a(i - 1, j);                              a[i, j] = a[i - 1, j];

#include <hpspmd/active.hpp>
#include <hpspmd/element.hpp>
#include <hpspmd/overall.hpp>

namespace hpspmd {

using detail::On;
/// `overall(x, triplet, body)`: the argument of a reduction, as in
/// `Adlib::sum(overall(x, Triplet(), [&](auto i) { return a(i) * a(i); }))`.
using detail::overall;

namespace detail {

/// The locations of some blocks, as indices; while it lives, the APG is restricted as in `overall`.
class Locations {
public:
    struct End {};

    class Iterator {
    public:
        explicit Iterator(const Locations& all) : all_(all) { findBlock(); }
        DistributedIndex operator*() const { return {all_.range_, block_, k_}; }
        Iterator& operator++() {
            if (__builtin_expect(++k_ == block_.count, 0)) {
                ++number_;
                findBlock();
            }
            return *this;
        }
        bool operator!=(End) const { return k_ < block_.count; }

    private:
        // The next block that is not empty, from block `number_` on.
        void findBlock() {
            k_ = 0;
            block_ = Block();
            while (number_ < all_.blocks_.size() && (block_ = all_.blocks_[number_]).count == 0)
                ++number_;
        }

        const Locations& all_;
        Block block_;
        Index number_ = 0;
        Index k_ = 0;
    };

    Locations(const Range& x, const Blocks& blocks, Where where)
        : active_(x.dim(), where), range_(x), blocks_(blocks) {}

    Iterator begin() const { return Iterator(*this); }
    End end() const { return {}; }

private:
    Active active_;
    Range range_;
    Blocks blocks_;
};

}  // namespace detail

/// `for (auto i : overall(x, l, u, s))`: the locations x[l : u : s] that this process holds, in
/// increasing order of iteration. Parts may be left out. OutOfBounds, DimensionNotInGroup.
inline detail::Locations overall(const Range& x, detail::Bound l = detail::none,
                                 detail::Bound u = detail::none, Index s = 1,
                                 detail::Where where = detail::Where::here()) {
    return {x, x.localBlocks(l, u, s, where), where};
}

/// `for (auto i : at(x, n))`: once where x[n] is held, elsewhere not at all.
inline detail::Locations at(const Range& x, Index n, detail::Where where = detail::Where::here()) {
    return overall(x, n, n, 1, where);
}

}  // namespace hpspmd
