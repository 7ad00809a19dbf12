// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/ghosts.hpp>

#include <algorithm>
#include <limits>

namespace hpspmd::detail {
namespace {

constexpr Index allCells = std::numeric_limits<Index>::max();

/// Indices beyond an end of N locations as those of the other end that they are copies of.
IndexInterval onTorus(IndexInterval indices, Index extent) {
    if (indices.last < indices.first || (indices.first >= 0 && indices.last < extent))
        return indices;
    for (const Index shift : {extent, -extent})
        if (indices.first + shift >= 0 && indices.last + shift < extent)
            return {indices.first + shift, indices.last + shift};
    return {};
}

/// The nest under way, whose writes do not count yet; 0 outside of nests.
Time nestUnderWay() { return nesting.depth > 0 ? nesting.time : 0; }

}  // namespace

Ghosts::Ghosts(const Map* maps, int rank) : rank_(rank) { addSides(maps, rank); }

void Ghosts::addSides(const Map* maps, int rank) {
    for (int r = 0; r < rank; ++r) {
        const RangeRecord& x = *maps[r].range.record();
        const Block held = maps[r].range.localBlocks().front();  // the only one if there are cells
        Sides sides{maps[r].range, maps[r].stride, {}, {}};
        sides.below.copies = held.count > 0 && held.globalBase > 0;
        sides.above.copies = held.count > 0 && held.globalBase + held.count < x.extent;
        isDivided_ |= x.dimension->size > 1;
        if (const std::size_t side = 2 * sides_.size(); side < reaches_.size()) {
            reaches_[side] = x.reachBelow();
            reaches_[side + 1] = x.reachAbove();
        }
        if (x.isWhole) sides.below.copies = sides.above.copies = x.dimension->size > 1;
        sides_.push_back(sides);
    }
}

void Ghosts::addView(const Map* maps, int rank) {
    const auto isNew = [&](int r) { return find(maps[r], r) < 0; };
    while (!parts_.empty()) forgetFirstPart();
    for (int r = 0; r < rank; ++r)
        if (isNew(r)) addSides(maps + r, 1);
    for (int r = 0; r < rank; ++r) fill(maps[r], r, allCells, allCells);
}

// ---- writes ------------------------------------------------------------------------------------

void Ghosts::write(const Map* maps, int rank, std::initializer_list<IndexSpan> part) {
    perhapsWritten_.set(nesting.time);
    const bool isKnown =
        isDivided_ && rank <= IndexBox::most && isAll(maps, rank) && part.size() == sides_.size();
    if (!isKnown) return write();
    if (isAllStale()) return;
    IndexBox box;
    bool isPart = false;
    for (const IndexSpan& span : part) {
        const Range& own = maps[box.rank].range;
        const Index last = own.record()->extent - 1;
        const bool fits = span.range.isNull() || haveSameIndices(span.range, own);
        const IndexInterval indices = fits ? span.indices : IndexInterval();
        isPart |= indices.first > 0 || indices.last < last;
        box.add({std::max<Index>(indices.first, 0), std::min(indices.last, last)});
        if (box[box.rank - 1].last < box[box.rank - 1].first) return;
    }
    if (!isPart) return write();
    if (parts_.isFull()) forgetFirstPart();
    parts_.write(nesting.time, box);
}

/// Nothing is fresh, whatever is written now.
bool Ghosts::isAllStale() const {
    const auto isStale = [&](const Side& side) { return filledCells(side) == 0; };
    return std::all_of(sides_.begin(), sides_.end(), [&](const Sides& sides) {
        return isStale(sides.below) && isStale(sides.above);
    });
}

/// From here on the first part counts as all of the array.
void Ghosts::forgetFirstPart() {
    if (parts_.isFirstOf(nestUnderWay())) {
        parts_.forgetFirst();
        return write();
    }
    const CellsOfSides filled = parts_.forgetFirst();
    for (std::size_t r = 0; r < sides_.size(); ++r) {
        sides_[r].below.width = std::min(sides_[r].below.width, filled[2 * r]);
        sides_[r].above.width = std::min(sides_[r].above.width, filled[2 * r + 1]);
    }
}

// ---- questions ---------------------------------------------------------------------------------

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

/// Are these the maps of the array that the storage was made for?
bool Ghosts::isAll(const Map* maps, int rank) const {
    if (rank != rank_) return false;
    for (int r = 0; r < rank; ++r) {
        const Sides& sides = sides_[static_cast<std::size_t>(r)];
        if (sides.range != maps[r].range || sides.stride != maps[r].stride) return false;
    }
    return true;
}

Index Ghosts::freshCells(const Side& side, std::size_t number) const {
    if (!side.copies) return allCells;
    const Index fresh = filledCells(side);
    return parts_.empty() ? fresh : std::min(fresh, parts_.freshCells(number, nestUnderWay()));
}

Index Ghosts::freshBelow(const Map& map, int r) const {
    const int own = find(map, r);
    if (own < 0) return allCells;
    const auto number = static_cast<std::size_t>(own);
    return freshCells(sides_[number].below, 2 * number);
}

Index Ghosts::freshAbove(const Map& map, int r) const {
    const int own = find(map, r);
    if (own < 0) return allCells;
    const auto number = static_cast<std::size_t>(own);
    return freshCells(sides_[number].above, 2 * number + 1);
}

bool Ghosts::areFresh(const Descriptor& a, int r, Index low, Index high,
                      const IndexBox& accessed) const {
    if (areFresh(a[r], r, low, high)) return true;
    if (parts_.empty() || !isAll(a.maps, a.rank)) return false;
    const auto number = static_cast<std::size_t>(r);
    const Sides& sides = sides_[number];
    const RangeRecord& x = *a[r].range.record();
    const Index first = x.run.globalBase, last = first + x.run.count - 1;
    const auto isFresh = [&](const Side& side, std::size_t k, Index cells, const auto& behind) {
        if (cells <= 0 || !side.copies) return true;
        if (filledCells(side) < cells || x.run.count == 0) return false;
        return !parts_.isStale(k, cells, nestUnderWay(), [&](Index fresh) {
            IndexBox box = accessed;
            box[r] = behind(fresh);
            for (int q = 0; q < box.rank; ++q)
                if (const Sides& each = sides_[static_cast<std::size_t>(q)]; each.isTorus)
                    box[q] = onTorus(box[q], each.range.size());
            return box;
        });
    };
    const IndexInterval& reached = accessed[r];
    return isFresh(
               sides.below, 2 * number, low,
               [&](Index fresh) {
                   return IndexInterval{std::max(reached.first, first - low), first - 1 - fresh};
               }) &&
           isFresh(sides.above, 2 * number + 1, high, [&](Index fresh) {
               return IndexInterval{last + 1 + fresh, std::min(reached.last, last + high)};
           });
}

// ---- fills -------------------------------------------------------------------------------------

void Ghosts::fill(Side& side, Index width, bool cyclic) {
    side.width = std::max(width, filledCells(side));
    side.certainWidth = std::max(width, side.copies && isUntouched(side) ? side.certainWidth : 0);
    side.filled = tick();
    side.copies |= cyclic;
}

void Ghosts::fill(const Map& map, int r, Index low, Index high, bool cyclic) {
    const int own = find(map, r);
    if (own < 0) return;
    Sides& sides = sides_[static_cast<std::size_t>(own)];
    fill(sides.below, low, cyclic);
    fill(sides.above, high, cyclic);
    sides.isTorus |= cyclic;
    if (!parts_.empty()) parts_.fill(own, low, high, reaches_);
}

void Ghosts::fillAll() {
    for (std::size_t r = 0; r < sides_.size(); ++r) {
        fill(sides_[r].below, allCells, false);
        fill(sides_[r].above, allCells, false);
    }
    while (!parts_.empty()) parts_.forgetFirst();
}

void Ghosts::copy(const Descriptor& from) {
    const Ghosts& other = *from.ghosts;
    const bool isAll = other.isAll(from.maps, from.rank);
    written_ = other.written_;
    perhapsWritten_ = other.perhapsWritten_;
    if (isAll) parts_ = other.parts_;
    for (int r = 0; r < from.rank; ++r) {
        Sides& sides = sides_[static_cast<std::size_t>(r)];
        const int own = other.find(from[r], r);
        if (own < 0) continue;
        const auto number = static_cast<std::size_t>(own);
        const Sides& source = other.sides_[number];
        const auto widthOf = [&](const Side& side, std::size_t k) {
            const Index width = other.filledCells(side);
            return isAll ? width : std::min(width, other.parts_.freshCells(k, nestUnderWay()));
        };
        sides.below.width = widthOf(source.below, 2 * number);
        sides.above.width = widthOf(source.above, 2 * number + 1);
        sides.below.copies |= source.below.copies;
        sides.above.copies |= source.above.copies;
        sides.isTorus = source.isTorus;
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
