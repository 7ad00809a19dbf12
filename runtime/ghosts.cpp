// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/ghosts.hpp>

#include <algorithm>
#include <limits>

namespace hpspmd::detail {
namespace {

constexpr Index allCells = std::numeric_limits<Index>::max();

}  // namespace

Ghosts::Ghosts(const Map* maps, int rank) { addSides(maps, rank); }

void Ghosts::addSides(const Map* maps, int rank) {
    for (int r = 0; r < rank; ++r) {
        const RangeRecord& x = *maps[r].range.record();
        const Block held = maps[r].range.localBlocks().front();  // the only one if there are cells
        Sides sides{maps[r].range, maps[r].stride, {}, {}};
        sides.below.copies = held.count > 0 && held.globalBase > 0;
        sides.above.copies = held.count > 0 && held.globalBase + held.count < x.extent;
        if (x.isWhole) sides.below.copies = sides.above.copies = x.dimension->size > 1;
        sides_.push_back(sides);
    }
}

void Ghosts::addView(const Map* maps, int rank) {
    const auto isNew = [&](int r) { return find(maps[r], r) < 0; };
    for (int r = 0; r < rank; ++r)
        if (isNew(r)) addSides(maps + r, 1);
    for (int r = 0; r < rank; ++r) fill(maps[r], r, allCells, allCells);
}

bool Ghosts::areFilled(const Map& map, int r, Index low, Index high) const {
    const int own = find(map, r);
    if (own < 0) return true;
    const Sides& sides = sides_[static_cast<std::size_t>(own)];
    const auto isFilled = [&](const Side& side, Index width) {
        return width <= 0 || perhapsWritten_.time() == 0 ||
               (isUntouched(side) && side.certainWidth >= width);
    };
    return isFilled(sides.below, low) && isFilled(sides.above, high);
}

int Ghosts::find(const Map& map, int r) const {
    const auto is = [&](const Sides& sides) {
        return sides.range == map.range && sides.stride == map.stride;
    };
    if (static_cast<std::size_t>(r) < sides_.size() && is(sides_[static_cast<std::size_t>(r)]))
        return r;
    const auto found = std::find_if(sides_.begin(), sides_.end(), is);
    return found == sides_.end() ? -1 : static_cast<int>(found - sides_.begin());
}

Index Ghosts::freshCells(const Side& side) const {
    if (!side.copies) return allCells;
    return side.filled >= written_.time() ? side.width : 0;
}

Index Ghosts::freshBelow(const Map& map, int r) const {
    const int own = find(map, r);
    return own < 0 ? allCells : freshCells(sides_[static_cast<std::size_t>(own)].below);
}

Index Ghosts::freshAbove(const Map& map, int r) const {
    const int own = find(map, r);
    return own < 0 ? allCells : freshCells(sides_[static_cast<std::size_t>(own)].above);
}

void Ghosts::fill(Side& side, Index width, bool cyclic) {
    side.width = std::max(width, side.copies ? freshCells(side) : 0);
    side.certainWidth = std::max(width, side.copies && isUntouched(side) ? side.certainWidth : 0);
    side.filled = tick();
    side.copies |= cyclic;
}

void Ghosts::fill(const Map& map, int r, Index low, Index high, bool cyclic) {
    const int own = find(map, r);
    if (own < 0) return;
    fill(sides_[static_cast<std::size_t>(own)].below, low, cyclic);
    fill(sides_[static_cast<std::size_t>(own)].above, high, cyclic);
}

void Ghosts::fillAll() {
    for (Sides& sides : sides_) {
        fill(sides.below, allCells, false);
        fill(sides.above, allCells, false);
    }
}

void Ghosts::copy(const Descriptor& from) {
    const Ghosts& other = *from.ghosts;
    written_ = other.written_;
    perhapsWritten_ = other.perhapsWritten_;
    for (int r = 0; r < from.rank; ++r) {
        Sides& sides = sides_[static_cast<std::size_t>(r)];
        sides.below.width = other.freshBelow(from[r], r);
        sides.above.width = other.freshAbove(from[r], r);
        sides.below.filled = sides.above.filled = tick();
    }
}

void stampGhosts(Storage& storage, const Map* maps, int rank) {
    const bool has = std::any_of(maps, maps + rank, [](const Map& map) {
        return map.range.loExtension() > 0 || map.range.hiExtension() > 0;
    });
    if (has) storage.ghosts = new Ghosts(maps, rank);
}

void copyStamps(const Descriptor& to, const Descriptor& from) {
    if (to.ghosts != nullptr && from.ghosts != nullptr) to.ghosts->copy(from);
}

bool any(const BorrowedRange& x, Bound l, Bound u, Index s) noexcept {
    if (x.isNull() || s == 0) return true;
    const Index last = x.size() - 1;
    const Index low = l.given ? l.value : s > 0 ? 0 : last;
    const Index high = u.given ? u.value : s > 0 ? last : 0;
    return s > 0 ? low <= high : low >= high;
}

}  // namespace hpspmd::detail
