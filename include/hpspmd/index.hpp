// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DistributedIndex, the value that `at` and `overall` bind, and ShiftedIndex, `i + e`. Neither is
/// an integer (thesis, 3.4.4).

#include <hpspmd/location.hpp>

namespace hpspmd {

/// A locally held location. It does not keep the range, which lives at least as long as the loop.
struct DistributedIndex {
    Index sub;     ///< local subscript
    Index global;  ///< global index, the i` of the language
    Index shift;   ///< local subscripts per shift by one
    BorrowedRange range;

    DistributedIndex(const BorrowedRange& x, const Block& block, Index k)
        : sub(block.localBase + block.localStep * k),
          global(block.globalBase + block.globalStep * k),
          shift(x.record_->stride),
          range(x) {}
    DistributedIndex(const BorrowedRange& x, Index sub, Index global, Index shift)
        : sub(sub), global(global), shift(shift), range(x) {}
    DistributedIndex(const BorrowedRange& x, const Location& at)
        : sub(at.sub), global(at.global), shift(x.record_->stride), range(x) {}
};

/// The location `distance` away from an index; it may lie in the ghost region.
struct ShiftedIndex {
    DistributedIndex index;
    Index distance;

    Index sub() const { return index.sub + index.shift * distance; }
};

inline ShiftedIndex operator+(const DistributedIndex& i, Index distance) { return {i, distance}; }
inline ShiftedIndex operator-(const DistributedIndex& i, Index distance) { return {i, -distance}; }
inline ShiftedIndex operator+(const ShiftedIndex& i, Index distance) {
    return {i.index, i.distance + distance};
}
inline ShiftedIndex operator-(const ShiftedIndex& i, Index distance) {
    return {i.index, i.distance - distance};
}

namespace detail {

/// What may stand right of `/`: fixes one coordinate of a group. For an index that is this
/// process's own.
struct Divisor {
    Dimension dim;
    int crd;
    Where where;

    Divisor(const Location& l, Where where = Where::here())
        : dim(l.dim), crd(l.crd), where(where) {}
    Divisor(const DistributedIndex& i, Where where = Where::here())
        : dim(i.range.dim()), crd(dim.crd()), where(where) {}
    Divisor(const ShiftedIndex& i, Where where = Where::here()) : Divisor(i.index, where) {}
};

}  // namespace detail

/// The members of g to which the location is mapped; DimensionNotInGroup if its dimension is not
/// free in g.
inline Group operator/(const Group& g, const detail::Divisor& at) {
    return detail::restrict(g, at.dim, at.crd, at.where);
}

}  // namespace hpspmd
