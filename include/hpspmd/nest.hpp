// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the fast form of an `overall` nest (hpcc -O3) asks at its entry, and the loops that it
/// runs. All questions are answered without an error: where the answer is no, the general form runs
/// and raises what there is to raise.

#include <hpspmd/alternate.hpp>
#include <hpspmd/complex_product.hpp>
#include <hpspmd/copies.hpp>
#include <hpspmd/counts.hpp>
#include <hpspmd/far_columns.hpp>
#include <hpspmd/iterations.hpp>
#include <hpspmd/many.hpp>
#include <hpspmd/near_loops.hpp>
#include <hpspmd/partial.hpp>
#include <hpspmd/parts.hpp>
#include <hpspmd/premises.hpp>
#include <hpspmd/reach.hpp>
#include <hpspmd/ready.hpp>
#include <hpspmd/rows.hpp>
#include <hpspmd/rows_again.hpp>
#include <hpspmd/shared_columns.hpp>
#include <hpspmd/sums_along_rows.hpp>
#include <hpspmd/sums_of_columns.hpp>
#include <hpspmd/sums_of_products.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// True if a container, or a C array, has an element k.
template <class Container>
bool holds(const Container& container, Index k) {
    return k >= 0 && k < static_cast<Index>(std::size(container));
}

/// The null handle of an array's type, or of a reference to it.
template <class A>
inline const std::decay_t<A> noArray{};

/// What this process holds of x[l : u : s], s > 0, as local subscripts first, first + s, .. last;
/// first > last if that is nothing. False if the process does not hold x side by side, or s > 1 and
/// its neighbours are no neighbouring locations; if l or u lies outside x; or if the active group
/// has no free dimension of x.
/// Examples: x = BlockRange(10, P = 2), coordinate 1: Run(x, 0, 8, 2) is first 1, last 3, origin 5.
/// x = CyclicRange(10, P = 3), coordinate 1: Run(x, 2, 8) is first 1, last 2, origin 1, scale 3.
struct Run {
    Index first = 0;
    Index last = -1;

    [[gnu::always_inline]] explicit Run(const BorrowedRange& x, Bound l = none, Bound u = none,
                                        Index s = 1) noexcept
        : range_(x) {
        const RangeRecord& record = *recordOf(x);
        if (record.held.low > record.held.high || !isFree(*record.dimension)) return;
        held_ = record.held;
        extent_ = record.extent;
        isRun_ = meet(l.given ? l.value : 0, u.given ? u.value : extent_ - 1, s);
    }

    explicit operator bool() const { return isRun_; }
    /// True if it is a run of neighbouring locations; else it has no triplets in steps.
    bool isDense() const { return held_.scale == 1; }
    /// True if neighbours have the same distance everywhere.
    bool isEven() const { return held_.width == 1; }

    /// Of one that isEven().
    Index global(Index local) const { return local * held_.scale + held_.origin; }
    /// All that the process holds of the range, or of what was cut out of it.
    const Slots& held() const { return held_; }

    /// Of a run of all of x: what it holds of x[l : u : s]; OutOfBounds.
    Run part(Bound l, Bound u = none, Index s = 1, Where where = Where::here()) const {
        Run result = *this;
        if (result.meet(l.given ? l.value : 0, u.given ? u.value : extent_ - 1, s)) return result;
        const Block block = generalPart(range_, l, u, s, where);
        result.first = block.localBase;
        result.last = block.localBase + (block.count - 1) * block.localStep;
        return result;
    }

    /// The same where it raises nothing, as liesInside() tells.
    Run inside(Bound l, Bound u = none, Index s = 1) const {
        Run result = *this;
        result.meet(l.given ? l.value : 0, u.given ? u.value : extent_ - 1, s);
        return result;
    }

    /// What of it has local subscripts lo .. hi, in its steps; part() of it stays there, too.
    Run cut(Index lo, Index hi, Index s) const {
        Run result = *this;
        if (first < lo) result.first = s == 1 ? lo : first + (lo - first + s - 1) / s * s;
        if (last > hi) result.last = hi;
        result.held_.low = std::max(held_.low, lo);
        result.held_.high = std::min(held_.high, hi);
        return result;
    }
    /// The local subscripts of the block, or of what was cut out of it, that it is a part of.
    Index lowest() const { return held_.low; }
    Index highest() const { return held_.high; }
    /// True if an `overall` over the one would fix the process dimension of the other.
    bool sharesDimension(const Run& other) const {
        const DimensionRecord* const own = range_.record()->dimension;
        return own->grid != nullptr && own == other.range_.record()->dimension;
    }
    /// True if the range is split over several processes.
    bool isSplit() const { return range_.record()->dimension->size > 1; }

private:
    static bool isFree(const DimensionRecord& d) {
        return d.grid == nullptr ||
               (activeGroup != nullptr && activeGroup->grid == d.grid &&
                activeGroup->fixed[static_cast<std::size_t>(d.axis)] == GroupRecord::free);
    }
    [[gnu::always_inline]] bool meet(Index l, Index u, Index s) {
        if (!isDense() && s != 1) return false;
        if (l < 0 || u >= extent_) {
            if (l <= u) return false;
            first = held_.low;  // nothing is outside of an empty triplet
            last = first - 1;
            return true;
        }
        const Index low = held_.low;
        l = held_.notBelow(l);
        first = l < low ? (s == 1 ? low : l + (low - l + s - 1) / s * s) : l;
        last = std::min(held_.notBelow(u + 1) - 1, held_.high);
        return true;
    }
    // Called with values, so that a run may live in registers.
    static Block generalPart(BorrowedRange x, Bound l, Bound u, Index s, Where where);

    BorrowedRange range_;
    Slots held_;
    Index extent_ = 0;
    bool isRun_ = false;
};

/// Where a piece of a loop begins, as a global index: at a value less a shift, or behind it. What
/// is too large for an Index is no place in any loop.
template <class E>
Index at(const E& value, Index shift = 0) {
    constexpr Index most = std::numeric_limits<Index>::max() / 4;
    return std::clamp(static_cast<Index>(value), -most, most) - shift;
}
template <class E>
Index behind(const E& value, Index shift = 0) {
    return at(value, shift) + 1;
}

/// The pieces into which a run falls, each in its steps, one after the other.
/// Example: Run 0 .. 9, begins {at(0), behind(0), at(9), behind(9)}: 0 .. 0, 1 .. 8, 9 .. 9.
template <std::size_t count>
class Pieces {
public:
    Index first, last;

    Pieces(const Run& run, const Index (&begins)[count], Index step)
        : first(run.first), last(run.last), run_(run), end_(run.last), step_(step) {
        for (std::size_t k = 0; k < count; ++k) begins_[k] = run.held().notBelow(begins[k]);
        cut();
    }

    /// Where the piece begins, as a global index.
    Index start() const { return run_.held().global(first); }

    explicit operator bool() const { return first <= end_; }
    void next() {
        first += step_ == 1 ? last - first + 1 : (last - first + step_) / step_ * step_;
        last = end_;
        cut();
    }

private:
    void cut() {
        for (const Index begin : begins_)
            if (begin > first && begin <= last) last = begin - 1;
    }

    const Run run_;
    const Index end_, step_;
    Index begins_[count];
};

/// Those of a range's global indices that a run, which isEven(), goes from and to.
inline Reach globals(const Run& run, const Reach& all) {
    return run.first > run.last ? Reach()
                                : atMost(atLeast(all, run.global(run.first)), run.global(run.last));
}

/// True if x[l : u] lies in x, or is empty, for all of these values of l and u.
inline bool liesInside(const BorrowedRange& x, const Reach& lows, const Reach& highs) {
    return lows.isEmpty() || highs.isEmpty() || (lows.lo >= 0 && highs.hi < extentOf(x));
}

/// A `-` slot whose index is shifted by these distances.
inline Over over(const BorrowedRange& x, const Reach& distances) {
    return distances.isEmpty() ? Over(x) : Over(x, distances.lo, distances.hi);
}

/// A `*` slot whose subscripts are the values of these.
inline Over reached(std::initializer_list<Reach> all) {
    Over result;
    for (const Reach& reach : all) {
        if (reach.isEmpty()) continue;
        result.lo = result.within ? std::min(result.lo, reach.lo) : reach.lo;
        result.hi = result.within ? std::max(result.hi, reach.hi) : reach.hi;
        result.within = true;
    }
    return result;
}

/// The least and the largest of elements of integers that lie side by side in the last dimension,
/// of those local subscripts, which are there. Rows that follow one another are one. Example:
/// valuesOf(a, {Reach(0, 9), Reach(0, 6)}, result) of int a[10][7]: 70 elements in one loop.
template <class T, class... Slots>
bool valuesOf(const Array<T, Slots...>& a, std::initializer_list<Reach> subscripts, Reach& result) {
    static_assert(std::is_integral_v<T>);
    constexpr std::size_t rank = sizeof...(Slots);
    bringHome(a.storage(), Use::Reads, Where());
    const T* begin = a.data();
    Index counts[rank], strides[rank], at[rank] = {};
    std::size_t kept = 0;  // dimensions, from the outermost one on
    for (const Reach& each : subscripts) {
        result = Reach();
        if (each.isEmpty()) return true;
        const Index stride = a.stride(static_cast<int>(&each - subscripts.begin()));
        begin += stride * each.lo;
        const Index count = each.hi - each.lo + 1;
        if (kept > 0 && strides[kept - 1] == stride * count) {
            counts[kept - 1] *= count;
            strides[kept - 1] = stride;
        } else {
            counts[kept] = count;
            strides[kept++] = stride;
        }
    }
    std::remove_const_t<T> least = *begin, most = *begin;
    for (;;) {
        const T* const row = begin;
        const Index count = counts[kept - 1];
        for (Index k = 0; k < count; ++k) {
            least = row[k] < least ? row[k] : least;
            most = row[k] > most ? row[k] : most;
        }
        std::size_t r = kept - 1;
        for (; r > 0; --r) {
            begin += strides[r - 1];
            if (++at[r - 1] < counts[r - 1]) break;
            begin -= strides[r - 1] * counts[r - 1];
            at[r - 1] = 0;
        }
        if (r == 0) break;
    }
    result = Reach(static_cast<Index>(least), static_cast<Index>(most));
    return true;
}

/// True if dimension r of an array has all these subscripts.
template <class T, class... Slots>
bool holds(const Array<T, Slots...>& a, int r, const Reach& subscripts) {
    return subscripts.isEmpty() || (subscripts.lo >= 0 && subscripts.hi < a.size(r));
}

}  // namespace hpspmd::detail
