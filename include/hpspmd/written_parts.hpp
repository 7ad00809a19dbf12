// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// WrittenParts, which elements of an array have been written since its ghost cells were filled, if
/// that is not all of them: at an `at`, over part of a range.

#include <hpspmd/descriptor.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hpspmd::detail {

using Time = std::uint64_t;

/// One interval for each dimension.
struct IndexBox {
    static constexpr int most = 4;  ///< dimensions
    int rank = 0;
    std::array<IndexInterval, most> intervals;

    IndexInterval& operator[](int r) { return intervals[static_cast<std::size_t>(r)]; }
    const IndexInterval& operator[](int r) const { return intervals[static_cast<std::size_t>(r)]; }
    void add(const IndexInterval& interval) { (*this)[rank++] = interval; }
    friend bool operator==(const IndexBox& a, const IndexBox& b) {
        return a.rank == b.rank &&
               std::equal(a.intervals.begin(), a.intervals.begin() + a.rank, b.intervals.begin());
    }
};
/// The locations that a nest goes over in one dimension of an array; those of a `*` slot have no
/// range.
struct IndexSpan {
    BorrowedRange range;
    IndexInterval indices;
};

/// Those of the triplet l : u : s; its gaps count as its locations.
inline IndexSpan span(const BorrowedRange& x, Bound l = none, Bound u = none, Index s = 1) {
    return {x, between(l, u, s)};
}
/// Subscript e of a `*` slot.
template <class E>
IndexSpan only(const E& e) {
    return {BorrowedRange(), {static_cast<Index>(e), static_cast<Index>(e)}};
}
inline const IndexSpan everywhere{};

/// Does an index over one have the same values over the other?
inline bool haveSameIndices(const BorrowedRange& a, const BorrowedRange& b) {
    if (a == b) return true;
    if (a.isNull() || b.isNull()) return false;
    const RangeRecord &x = *a.record(), &y = *b.record();
    return x.whole == y.whole && x.base == y.base && x.stride == y.stride && x.extent == y.extent;
}

/// Cells of each side of an array: 2 r is below the blocks of dimension r, 2 r + 1 above.
using CellsOfSides = std::array<Index, 2 * IndexBox::most>;

/// The parts of one storage, the same in all processes.
class WrittenParts {
public:
    static constexpr std::size_t most = 8;

    bool empty() const { return parts_.empty(); }
    bool isFull() const { return parts_.size() == most; }

    /// Written at this time, which is that of the nest under way.
    void write(Time time, const IndexBox& box);
    /// So many cells below and above the blocks of dimension r have been filled. Forgets parts all
    /// of whose `reaches` are.
    void fill(int r, Index low, Index high, const CellsOfSides& reaches);
    /// So many cells of a side are fresh, wherever the elements lie. `nest`: the time of the nest
    /// under way, whose own writes do not count yet; else 0.
    Index freshCells(std::size_t side, Time nest) const;
    /// Has one of these cells of a side been written and not filled since? The elements lie in
    /// boxBehind(n), but for the first n cells.
    template <class BoxBehind>
    bool isStale(std::size_t side, Index cells, Time nest, const BoxBehind& boxBehind) const {
        for (const Part& part : parts_) {
            const Index fresh = part.filledCells(nest)[side];
            if (fresh < cells && meets(part.box, boxBehind(fresh))) return true;
        }
        return false;
    }
    /// Forgets the part that was written first; the cells of each side that had been filled since.
    CellsOfSides forgetFirst();
    bool isFirstOf(Time nest) const { return parts_.front().time == nest; }
    void forgetBefore(Time time);

private:
    struct Part {
        Time time;
        IndexBox box;
        CellsOfSides filled;  // since then
        CellsOfSides before;  // what it had been when the nest of that time began

        const CellsOfSides& filledCells(Time nest) const {
            return nest != 0 && time == nest ? before : filled;
        }
    };

    static bool meets(const IndexBox& a, const IndexBox& b);

    std::vector<Part> parts_;
};

}  // namespace hpspmd::detail
