// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// WrittenParts, which elements of an array have been written since its ghost cells were filled, if
/// that is not all of them: at an `at`, over part of a range, members of the elements only.

#include <hpspmd/descriptor.hpp>
#include <hpspmd/index_set.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace hpspmd::detail {

using Time = std::uint64_t;

/// One set for each dimension of an array, and the bytes of its elements.
template <class Set>
struct ElementBox {
    static constexpr int most = 4;  ///< dimensions
    int rank = 0;
    std::array<Set, most> sets{};
    Set bytes{};

    Set& operator[](int r) { return sets[static_cast<std::size_t>(r)]; }
    const Set& operator[](int r) const { return sets[static_cast<std::size_t>(r)]; }
};
using IndexBox = ElementBox<IndexSet>;
using ReadBox = ElementBox<ReadSet>;

/// What a process reads: these indices of each dimension, shifted by distances from `lows` to
/// `highs`, which both occur.
struct ReadAccess : ReadBox {
    std::array<Index, most> lows{}, highs{};
};

/// The locations that a nest goes over in one dimension of an array; those of a `*` slot have no
/// range.
struct IndexSpan {
    BorrowedRange range;
    IndexSet indices;
};

/// Those of the triplet l : u : s.
inline IndexSpan span(const BorrowedRange& x, Bound l = none, Bound u = none, Index s = 1) {
    return {x, x.isNull() ? IndexSet() : indicesOf(l, u, s, x.size())};
}
/// Subscript e of a `*` slot.
template <class E>
IndexSpan only(const E& e) {
    return {BorrowedRange(), {static_cast<Index>(e), static_cast<Index>(e), 1, true}};
}
/// These and all between them.
template <class First, class Last>
IndexSpan only(const First& first, const Last& last) {
    return {BorrowedRange(), {static_cast<Index>(first), static_cast<Index>(last), 1, true}};
}
inline const IndexSpan everywhere{};
inline const IndexSpan somewhere{BorrowedRange(),
                                 {IndexInterval::least, IndexInterval::most, 1, false}};

/// True if an index over one has the same values over the other.
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

    /// Written at this time, which is that of the nest under way, or of what is written now. If
    /// there are more than are kept, forgets the part that was written first; the cells of each
    /// side that had been filled since, else all.
    CellsOfSides write(Time time, const IndexBox& box);
    /// So many cells below and above the blocks of dimension r have been filled. Forgets parts all
    /// of whose `reaches` are.
    void fill(int r, Index low, Index high, const CellsOfSides& reaches);
    /// So many cells of a side are fresh, wherever the elements lie. `nest`: the time of the nest
    /// under way, whose own writes do not count yet; else 0.
    Index freshCells(std::size_t side, Time nest) const;
    /// True if one of these cells of a side has been written for certain and not filled since. The
    /// elements lie in boxBehind(n), but for the first n cells.
    template <class BoxBehind>
    bool isStale(std::size_t side, Index cells, Time nest, const BoxBehind& boxBehind) const {
        for (const Part& part : parts_) {
            const Index fresh = part.filledCells(nest)[side];
            if (fresh < cells && areStale(part.box, boxBehind(fresh))) return true;
        }
        return false;
    }
    /// Forgets those of before a write of all elements.
    void forgetBefore(Time time);
    void forgetAll() { parts_.clear(); }

private:
    struct Part {
        Time time;
        IndexBox box;
        CellsOfSides filled;  // since then
        CellsOfSides before;  // what it had been when the nest of that time began

        const CellsOfSides& filledCells(Time nest) const {
            return nest != 0 && time == nest ? before : filled;
        }
        bool joins(const Part& other, Time now);
    };

    static bool areStale(const IndexBox& written, const ReadBox& read);
    bool joinTwo(Time now);

    std::vector<Part> parts_;
};

}  // namespace hpspmd::detail
