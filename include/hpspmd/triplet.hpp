// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Triplet, the `l : u : s` of overall headers, subranges and sections, and `split`, the `<>` of
/// sections.

#include <hpspmd/block.hpp>

#include <limits>

namespace hpspmd {

class BorrowedRange;

namespace detail {

struct None {};
inline constexpr None none{};  ///< stands for a part of a triplet that was left out

/// First or last location of a triplet, or left out.
struct Bound {
    bool given = false;
    Index value = 0;

    constexpr Bound(None = none) {}
    constexpr Bound(Index value) : given(true), value(value) {}
};

/// Global indices first .. last of one dimension; none if last < first.
struct IndexInterval {
    static constexpr Index least = std::numeric_limits<Index>::min() / 4;
    static constexpr Index most = std::numeric_limits<Index>::max() / 4;
    Index first = least, last = most;

    friend constexpr bool operator==(const IndexInterval& a, const IndexInterval& b) {
        return a.first == b.first && a.last == b.last;
    }
};
struct Split {};

}  // namespace detail

/// The locations low, low + step, .., up to and including high. Parts left out are 0, N-1 and 1,
/// with a negative step N-1, 0. `Triplet()` is everything; `Triplet(3, 1)` is empty.
class Triplet {
public:
    explicit Triplet(detail::Where where = detail::Where::here()) : where_(where) {}
    explicit Triplet(detail::Bound low, detail::Bound high = detail::none, Index step = 1,
                     detail::Where where = detail::Where::here())
        : low_(low), high_(high), step_(step), where_(where) {}

    /// The locations of x. OutOfBounds if step is 0 or one of them lies outside; an empty triplet
    /// is legal. Step 1 stands for every step if there is at most one location.
    detail::Progression over(const BorrowedRange& x) const;

    /// Every location of any range: `:`.
    bool isWhole() const { return !low_.given && !high_.given && step_ == 1; }

    detail::Where where() const { return where_; }

private:
    detail::Bound low_, high_;
    Index step_ = 1;
    detail::Where where_;
};

inline constexpr detail::Split split{};

}  // namespace hpspmd
