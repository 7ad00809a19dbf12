// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/pieces.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/ranges.hpp>

namespace hpspmd::detail::files {
namespace {

// Such a piece is still in the processor's caches when it goes to the file, and its memory serves
// for the next one: with 64 MiB half the time went into pages that the system had to clear.
Index pieceBytes = 8 << 20;

/// The first process of a grid with one dimension.
Group firstOf(const Procs1& grid) { return restrict(grid, grid.dim(0), 0); }

/// Cuts in one dimension, all dimensions before it in single locations.
class Cutter {
public:
    Cutter(const Descriptor& array, Handled handled, Index elements)
        : array_(array),
          isByFirst_(handled == Handled::ByFirst || array.rank == 0),
          inner_(static_cast<std::size_t>(array.rank) + 1, 1) {
        for (int r = array.rank - 1; r >= 0; --r) inner_[at(r)] = inner_[at(r + 1)] * extent(r);
        if (!isByFirst_) elements *= grid_.size();
        while (cut_ < array.rank - 1 && inner_[at(cut_ + 1)] > elements) ++cut_;
        if (array.rank > 0)
            atOnce_ = std::max<Index>(1, elements / std::max<Index>(1, inner_[at(cut_ + 1)]));
    }

    void run(const std::function<void(const Piece&)>& action) const {
        if (inner_[0] == 0) return;
        if (array_.rank == 0) return action(piece({}, 0, 0));
        std::vector<Index> outer(at(cut_), 0);
        do {
            for (Index low = 0; low < extent(cut_); low += atOnce_)
                action(piece(outer, low, std::min(extent(cut_), low + atOnce_) - 1));
        } while (advance(outer));
    }

private:
    static std::size_t at(int r) { return static_cast<std::size_t>(r); }
    Index extent(int r) const { return array_[r].range.size(); }

    /// The next locations of the dimensions before the cut; false behind the last ones.
    bool advance(std::vector<Index>& outer) const {
        for (int r = cut_ - 1; r >= 0; --r) {
            if (++outer[at(r)] < extent(r)) return true;
            outer[at(r)] = 0;
        }
        return false;
    }

    Piece piece(const std::vector<Index>& outer, Index low, Index high) const {
        Piece piece{{array_.begin(), array_.end()}, {}, isByFirst_ ? firstOf(grid_) : Group(grid_)};
        piece.count = piece.group.amMember() ? 1 : 0;
        for (int r = 0; r < array_.rank; ++r) {
            Range& range = piece.array[at(r)].range;
            const Index stride = inner_[at(r + 1)];
            if (r < cut_) {
                range = range.subrange(outer[at(r)], outer[at(r)]);
                piece.first += outer[at(r)] * stride;
            }
            if (r == cut_) {
                range = range.subrange(low, high);
                piece.first += low * stride;
            }
            if (r != cut_ || isByFirst_) {
                piece.handled.push_back({CollapsedRange(range.size()), stride});
                piece.count *= range.size();
                continue;
            }
            const BlockRange rows(range.size(), grid_.dim(0));
            const Block own = rows.localBlock();
            piece.handled.push_back({rows, stride});
            piece.first += own.globalBase * stride;
            piece.count *= own.count;
        }
        return piece;
    }

    const Descriptor& array_;
    const Procs1 grid_;
    bool isByFirst_;
    std::vector<Index> inner_;  ///< elements for one location of dimension r - 1
    int cut_ = 0;
    Index atOnce_ = 1;  ///< locations of that dimension
};

}  // namespace

void forEachPiece(const Descriptor& array, Index elementSize, Handled handled,
                  const std::function<void(const Piece&)>& action) {
    Cutter(array, handled, pieceBytes / elementSize).run(action);
}

void setPieceBytes(Index bytes) { pieceBytes = bytes; }

}  // namespace hpspmd::detail::files
