// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/ghosts.hpp>

#include <algorithm>

namespace hpspmd::detail {
namespace {

/// Indices beyond an end of N locations as those of the other end that they are copies of.
ReadSet onTorus(ReadSet indices, Index extent) {
    const IndexInterval& outer = indices.outer;
    if (outer.first >= 0 && outer.last < extent) return indices;
    for (const Index shift : {extent, -extent})
        if (outer.first + shift >= 0 && outer.last + shift < extent)
            return indices.shiftedBy(shift, shift, shift);
    return ReadSet::some();
}

/// Locations of one range as those of another one that holds them all, step by step.
class Translation {
public:
    Translation(const BorrowedRange& from, const BorrowedRange& to) {
        const RangeRecord &x = *from.record(), &y = *to.record();
        isKnown_ = x.whole == y.whole && x.stride > 0 && y.stride == 1;
        base_ = x.base - y.base;
        stride_ = x.stride;
    }

    bool isKnown() const { return isKnown_; }
    IndexSet operator()(const IndexSet& set) const {
        return {moved(set.first), moved(set.last), set.step * stride_, set.areAll};
    }
    IndexInterval operator()(const IndexInterval& interval) const {
        return {moved(interval.first), moved(interval.last)};
    }

private:
    Index moved(Index k) const {
        const bool isNumber = k > IndexInterval::least && k < IndexInterval::most;
        return isNumber ? base_ + k * stride_ : k;
    }

    bool isKnown_;
    Index base_, stride_;
};

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
        hasCopies_ |= sides.below.copies || sides.above.copies;
        sides_.push_back(sides);
    }
}

void Ghosts::addView(const Map* maps, int rank) {
    limitCertain({});
    parts_.forgetAll();
    const Time time = tick();
    for (int r = 0; r < rank; ++r) {
        const int known = find(maps[r], r);
        if (known < 0) addSides(maps + r, 1);
        fillAll(known < 0 ? sides_.back() : sides_[static_cast<std::size_t>(known)], time);
    }
}

// ---- writes ------------------------------------------------------------------------------------

void Ghosts::writePart(const Descriptor& a, std::initializer_list<IndexSpan> part,
                       const IndexSet& bytes) {
    if (hasViews() && bytes == IndexSet()) return write();
    if (hasViews() || rank_ > IndexBox::most) return writePerhaps();
    if (isAllStale()) return;
    IndexBox box = boxOf(a, part);
    box.bytes = bytes;
    if (isWhole(box)) return write();
    for (int r = 0; r < rank_; ++r)
        if (box[r].isEmpty()) return;
    limitCertain(parts_.write(nesting.depth > 0 ? nesting.time : tick(), box));
}

void Ghosts::writeAll(const Descriptor& a) {
    if (isAll(a.maps, a.rank)) return write();
    write(a, {});
}

/// The dimension of the storage that a dimension of a section goes along.
int Ghosts::dimensionOf(const Map& map) const {
    for (int r = 0; r < rank_; ++r) {
        const Sides& sides = sides_[static_cast<std::size_t>(r)];
        if (sides.stride == map.stride && sides.range.record()->whole == map.range.record()->whole)
            return r;
    }
    return -1;
}

/// Where a section fixes a dimension: some location that its group holds.
IndexSet Ghosts::someOf(const Range& range, const Group& group) {
    const DimensionRecord& d = *range.record()->dimension;
    const GroupRecord& g = *group.record();
    IndexSet set{0, range.size() - 1, 1, false};
    if (d.grid != g.grid) return set;
    const int crd = g.fixed[static_cast<std::size_t>(d.axis)];
    if (crd == GroupRecord::free) return set;
    const Block held = range.blocks(crd).front();
    if (held.globalStep == 1 && held.count > 0) {
        set.first = held.globalBase;
        set.last = held.globalBase + held.count - 1;
    }
    return set;
}

/// As the storage counts.
IndexBox Ghosts::boxOf(const Descriptor& a, std::initializer_list<IndexSpan> part) const {
    IndexBox box;
    box.rank = rank_;
    for (int r = 0; r < rank_; ++r)
        box[r] = someOf(sides_[static_cast<std::size_t>(r)].range, a.group);
    const bool isGiven = part.size() == static_cast<std::size_t>(a.rank);
    for (int r = 0; r < a.rank; ++r) {
        const int own = dimensionOf(a[r]);
        if (own < 0) continue;
        const IndexSpan& span = isGiven ? part.begin()[r] : everywhere;
        const BorrowedRange& counted = span.range.isNull() ? a[r].range : span.range;
        const Range& whole = sides_[static_cast<std::size_t>(own)].range;
        const Translation translation(counted, whole);
        if (!translation.isKnown()) continue;
        IndexSet indices = span.indices;
        if (indices.step == 1) {
            indices.first = std::max<Index>(indices.first, 0);
            indices.last = std::min(indices.last, counted.size() - 1);
        }
        box[own] = translation(indices);
        if (box[own].contains({0, whole.size() - 1})) box[own] = {};
    }
    return box;
}

bool Ghosts::isWhole(const IndexBox& box) {
    return box.sets == IndexBox().sets && box.bytes == IndexSet();
}

/// Nothing is fresh, whatever is written now.
bool Ghosts::isAllStale() const {
    const auto isStale = [&](const Side& side) {
        return side.filled < written_.time() || side.width == 0;
    };
    return std::all_of(sides_.begin(), sides_.end(), [&](const Sides& sides) {
        return isStale(sides.below) && isStale(sides.above);
    });
}

/// Of what is surely fresh no more than these.
void Ghosts::limitCertain(const CellsOfSides& filled) {
    const auto limit = [](Side& side, Index cells) {
        side.certainWidth = std::min(side.certainWidth, cells);
    };
    for (std::size_t r = 0; 2 * r < filled.size() && r < sides_.size(); ++r) {
        limit(sides_[r].below, filled[2 * r]);
        limit(sides_[r].above, filled[2 * r + 1]);
    }
}

// ---- questions ---------------------------------------------------------------------------------

bool Ghosts::areFilled(const Map& map, int r, Index low, Index high) const {
    const int own = find(map, r);
    if (own < 0) return true;
    const auto number = static_cast<std::size_t>(own);
    const auto isFilled = [&](const Side& side, std::size_t k, Index width) {
        return width <= 0 ||
               std::min(certainCells(side), parts_.freshCells(k, nestUnderWay())) >= width;
    };
    return isFilled(sides_[number].below, 2 * number, low) &&
           isFilled(sides_[number].above, 2 * number + 1, high);
}

int Ghosts::findElsewhere(const Map& map) const {
    const auto found = std::find_if(sides_.begin(), sides_.end(),
                                    [&](const Sides& sides) { return isOf(sides, map); });
    return found == sides_.end() ? -1 : static_cast<int>(found - sides_.begin());
}

/// True if these are the maps of the array that the storage was made for.
bool Ghosts::isAll(const Map* maps, int rank) const {
    if (rank != rank_) return false;
    for (int r = 0; r < rank; ++r) {
        const Sides& sides = sides_[static_cast<std::size_t>(r)];
        if (sides.range != maps[r].range || sides.stride != maps[r].stride) return false;
    }
    return true;
}

Index Ghosts::freshInParts(Index fresh, std::size_t number) const {
    return std::min(fresh, parts_.freshCells(number, nestUnderWay()));
}

/// What is read by a handle, as the storage counts.
ReadBox Ghosts::own(const Descriptor& a, const ReadBox& box) const {
    ReadBox result;
    result.rank = rank_;
    result.bytes = box.bytes;
    for (ReadSet& set : result.sets) set = ReadSet::some();
    for (int r = 0; r < a.rank; ++r) {
        const int own = dimensionOf(a[r]);
        if (own < 0) continue;
        const Sides& sides = sides_[static_cast<std::size_t>(own)];
        const Translation translation(a[r].range, sides.range);
        if (!translation.isKnown()) continue;
        const ReadSet& given = box[r];
        result[own] = {given.sure.isEmpty() ? given.sure : translation(given.sure),
                       translation(given.outer)};
        if (sides.isTorus) result[own] = onTorus(result[own], sides.range.size());
    }
    return result;
}

bool Ghosts::areFresh(const Descriptor& a, int r, Index low, Index high,
                      const ReadAccess& access) const {
    if (areFresh(a[r], r, low, high)) return true;
    const int own = find(a[r], r);
    if (own < 0) return true;
    const auto number = static_cast<std::size_t>(own);
    const Sides& sides = sides_[number];
    const RangeRecord& x = *a[r].range.record();
    const Index first = x.run.globalBase, last = first + x.run.count - 1;
    const Index lowest = access.lows[static_cast<std::size_t>(r)],
                highest = access.highs[static_cast<std::size_t>(r)];
    const auto isFresh = [&](const Side& side, std::size_t k, Index cells, Index distance,
                             const auto& behind) {
        if (cells <= 0 || !side.copies) return true;
        if (filledCells(side) < cells) return false;
        if (parts_.empty() || x.run.count == 0) return true;
        return !parts_.isStale(k, cells, nestUnderWay(), [&](Index fresh) {
            ReadBox box = access;
            for (int q = 0; q < box.rank; ++q)
                box[q] = access[q].shifted(access.lows[static_cast<std::size_t>(q)],
                                           access.highs[static_cast<std::size_t>(q)]);
            box[r] = access[r].shiftedBy(distance, lowest, highest).in(behind(fresh));
            return this->own(a, box);
        });
    };
    return isFresh(sides.below, 2 * number, low, lowest,
                   [&](Index fresh) {
                       return IndexInterval{first - low, first - 1 - fresh};
                   }) &&
           isFresh(sides.above, 2 * number + 1, high, highest, [&](Index fresh) {
               return IndexInterval{last + 1 + fresh, last + high};
           });
}

// ---- fills -------------------------------------------------------------------------------------

void Ghosts::fillAll(Sides& sides, Time time) {
    for (Side* const side : {&sides.below, &sides.above}) {
        side->width = side->certainWidth = allCells;
        side->filled = time;
    }
}

void Ghosts::fillAll() {
    const Time time = tick();
    for (Sides& sides : sides_) fillAll(sides, time);
    parts_.forgetAll();
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
        const auto take = [&](Side& side, const Side& theirs, std::size_t k) {
            const Index most =
                isAll ? IndexInterval::most : other.parts_.freshCells(k, nestUnderWay());
            side.width = other.filledCells(theirs);
            side.certainWidth = std::min(other.certainCells(theirs), most);
            side.copies |= theirs.copies;
            hasCopies_ |= side.copies;
            side.filled = tick();
        };
        take(sides.below, source.below, 2 * number);
        take(sides.above, source.above, 2 * number + 1);
        isTorus_ |= sides.isTorus = source.isTorus;
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

}  // namespace hpspmd::detail
