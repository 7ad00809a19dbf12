// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/check.hpp>

#include "compose.hpp"

#include <hpspmd/element.hpp>
#include <hpspmd/error.hpp>

#include <algorithm>
#include <cstdlib>

namespace hpspmd::detail {
namespace {

std::string dimensionOf(const char* name, int r) {
    return *name ? compose("dimension ", r, " of ", name)
                 : compose("dimension ", r, " of the array");
}

void checkFits(const BorrowedRange& index, const BorrowedRange& array, const char* name, int r,
               Where where) {
    if (fits(index, array)) return;
    throw IndexMismatch(compose("an index over ", describe(index), " does not fit ",
                                dimensionOf(name, r), ", which is ", describe(array)),
                        where);
}

// The APG inside the nest: restricted to this process's coordinate in the dimension of every
// construct. Null if this process runs no iteration, so that it makes no access.
const GroupRecord* restrictBy(std::initializer_list<OverSome> constructs,
                              const GroupRecord* active) {
    for (const OverSome& construct : constructs) {
        if (construct.range.isNull()) continue;
        if (!construct.runs || active == nullptr) return nullptr;
        const DimensionRecord& d = *construct.range.record()->dimension;
        if (d.grid != active->grid) continue;
        const auto axis = static_cast<std::size_t>(d.axis);
        if (active->fixed[axis] != GroupRecord::free) continue;
        const GroupRecord* own = active->own[axis].load(std::memory_order_acquire);
        active = own ? own : restrictActive(active, d, {});
    }
    return active;
}

void requireContained(const GroupRecord* active, const Group& group, const char* name,
                      Where where) {
    if (group.contains(Group(active))) return;
    throw GroupNotContained(
        compose(*name ? name : "the array", " lies on the ", describe(group),
                ", which does not contain the active group at the access, the ",
                describe(Group(active)), ": some processes do not hold the element"),
        where);
}

// A process without locations of some range runs no iteration, whatever the triplets are.
bool holdsAll(std::initializer_list<OverSome> constructs) {
    return std::all_of(constructs.begin(), constructs.end(), [](const OverSome& construct) {
        if (construct.range.isNull()) return true;
        if (!construct.runs) return false;
        const Blocks blocks = construct.range.localBlocks();
        return std::any_of(blocks.begin(), blocks.end(),
                           [](const Block& b) { return b.count > 0; });
    });
}

// The first slot whose sequential subscripts leave the array, or -1.
int firstOutside(const Descriptor& a, std::initializer_list<OverSome> slots) {
    int r = 0;
    for (const OverSome& slot : slots) {
        if (slot.within && (slot.lo < 0 || slot.hi >= a[r].range.size())) return r;
        ++r;
    }
    return -1;
}

void checkWithin(const Descriptor& a, const char* name, std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing, Where where) {
    const int r = firstOutside(a, slots);
    if (r < 0 || !holdsAll(slots) || !holdsAll(enclosing)) return;
    const OverSome& slot = slots.begin()[r];
    const std::string values = slot.lo == slot.hi ? compose("is ", slot.lo)
                                                  : compose("goes from ", slot.lo, " to ", slot.hi);
    throw OutOfBounds(compose("the subscript of ", dimensionOf(name, r), " ", values,
                              ", outside 0 .. ", a[r].range.size() - 1),
                      where);
}

// Cells below (above) the blocks that the subscripts of this slot reach.
Index cellsBelow(const OverSome& slot) {
    return slot.range.isNull() ? 0 : -slot.lo * slot.range.str();
}
Index cellsAbove(const OverSome& slot) {
    return slot.range.isNull() ? 0 : slot.hi * slot.range.str();
}

IndexSet indicesOf(const Progression& locations) {
    const Index last = locations.first + locations.step * (locations.count - 1);
    if (locations.count == 0) return {0, -1, 1, true};
    return {std::min(locations.first, last), std::max(locations.first, last),
            std::abs(locations.step), true};
}

// What this process accesses; of rank 0 if that is nothing.
ReadAccess accessedBy(const Descriptor& a, std::initializer_list<OverSome> slots) {
    ReadAccess access;
    for (const OverSome& slot : slots) {
        const auto r = static_cast<std::size_t>(access.rank);
        const BorrowedRange& own = a[access.rank].range;
        ReadSet& indices = access[access.rank++];
        indices = ReadSet::some();
        if (slot.within)
            indices = slot.indices.areAll ? ReadSet::all({slot.lo, slot.hi, 1, true})
                                          : ReadSet::some({slot.lo, slot.hi});
        if (slot.range.isNull()) continue;
        access.lows[r] = slot.lo;
        access.highs[r] = slot.hi;
        const Block& held = own.record()->run;
        if (!haveSameIndices(slot.range, own) || held.count == 0) continue;
        indices =
            ReadSet::all(slot.indices).in({held.globalBase, held.globalBase + held.count - 1});
        if (indices.outer.last < indices.outer.first) return {};
        if (!slot.indices.areAll) indices.sure = {0, -1, 1, true};
    }
    return access;
}

bool areFresh(const Descriptor& a, int r, Index low, Index high,
              std::initializer_list<OverSome> slots, const ReadSet& bytes) {
    if (a.ghosts->areFresh(a[r], r, low, high)) return true;
    if (!a.ghosts->hasParts() || a.rank > IndexBox::most) return false;
    ReadAccess access = accessedBy(a, slots);
    access.bytes = bytes;
    return access.rank == 0 || a.ghosts->areFresh(a, r, low, high, access);
}

// The first slot that reaches stale ghost cells, or -1.
int firstStale(const Descriptor& a, std::initializer_list<OverSome> slots, const ReadSet& bytes) {
    const bool isKnown = a.ghosts != nullptr && slots.size() == static_cast<std::size_t>(a.rank);
    if (!isKnown || !ghostsAreCompared) return -1;
    int r = 0;
    for (const OverSome& slot : slots) {
        if ((slot.lo != 0 || slot.hi != 0) &&
            !areFresh(a, r, cellsBelow(slot), cellsAbove(slot), slots, bytes))
            return r;
        ++r;
    }
    return -1;
}

[[noreturn]] void raiseStale(const Descriptor& a, int r, bool below, Index wanted, const char* name,
                             Where where) {
    const Index fresh = below ? a.ghosts->freshBelow(a[r], r) : a.ghosts->freshAbove(a[r], r);
    const std::string array = *name ? name : "the array";
    const std::string cells =
        compose("reads ", wanted, wanted == 1 ? " ghost cell " : " ghost cells ",
                below ? "below" : "above", " the blocks of ", dimensionOf(name, r));
    const std::string call = compose("Adlib::writeHalo(", *name ? name : "a", ")");
    if (fresh == 0)
        throw StaleGhosts(
            compose(cells, ", but ", array, " was written after they were filled: call ", call,
                    " before this nest"),
            where);
    throw StaleGhosts(compose(cells, ", of which only ", fresh, fresh == 1 ? " was" : " were",
                              " filled after ", array, " was written: call ", call,
                              ", or give it a width of ", wanted, " on that side"),
                      where);
}

}  // namespace

void checkGhosts(const Descriptor& a, const char* name, std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing, Where where, const ReadSet& bytes) {
    const int r = firstStale(a, slots, bytes);
    if (r < 0 || !holdsAll(slots) || !holdsAll(enclosing)) return;
    const OverSome& slot = slots.begin()[r];
    const bool below = !areFresh(a, r, cellsBelow(slot), 0, slots, bytes);
    raiseStale(a, r, below, below ? cellsBelow(slot) : cellsAbove(slot), name, where);
}

OverSome over(const BorrowedRange& x, const Triplet& triplet, Index lo, Index hi) {
    OverSome result = over(x, lo, hi);
    result.indices = indicesOf(triplet.over(x));
    const Blocks blocks = x.localBlocks(triplet);
    result.runs =
        std::any_of(blocks.begin(), blocks.end(), [](const Block& b) { return b.count > 0; });
    return result;
}

void checkShift(Index distance, const BorrowedRange& array, Index str, int r, const char* name,
                Where where) {
    Index cells = 0;
    if (!__builtin_mul_overflow(distance, str, &cells) && -array.record()->reachBelow() <= cells &&
        cells <= array.record()->reachAbove())
        return;
    throw ShiftTooWide(
        compose("an index shifted by ", distance, " leaves the ghost region of ",
                dimensionOf(name, r), ", ", describe(array), ", which has ", array.loExtension(),
                " ghost cells below and ", array.hiExtension(), " above"),
        where);
}

void checkGhosts(Index distance, const Descriptor& a, Index str, int r, Where where,
                 const DistributedIndex* index) {
    const Index cells = distance * str;
    if (!ghostsAreCompared || a.ghosts == nullptr || a.ghosts->areFresh(a[r], r, -cells, cells))
        return;
    if (a.ghosts->hasParts() && a.rank <= IndexBox::most) {
        ReadAccess access;
        access.rank = a.rank;
        for (ReadSet& set : access.sets) set = ReadSet::some();
        const auto own = static_cast<std::size_t>(r);
        access.lows[own] = access.highs[own] = distance;
        if (index != nullptr && haveSameIndices(index->range, a[r].range))
            access[r] = ReadSet::all({index->global, index->global, 1, true});
        access.bytes = ReadSet::some();
        if (a.ghosts->areFresh(a, r, -cells, cells, access)) return;
    }
    raiseStale(a, r, cells < 0, std::abs(cells), "", where);
}

void checkAccess(const Descriptor& a, const char* name, std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing, Where where) {
    if (a.group.isNull())
        throw NullArray(compose(name, " was never assigned, or was moved from"), where);
    if (slots.size() != static_cast<std::size_t>(a.rank))
        throw IndexMismatch(
            compose(name, " has rank ", a.rank, " and is used with ", slots.size(), " subscripts"),
            where);
    int r = 0;
    for (const OverSome& slot : slots) {
        if (!slot.range.isNull()) {
            const BorrowedRange& array = a[r].range;
            checkFits(slot.range, array, name, r, where);
            checkShift(slot.lo, array, slot.range.str(), r, name, where);
            checkShift(slot.hi, array, slot.range.str(), r, name, where);
        }
        ++r;
    }
    const GroupRecord* active = restrictBy(enclosing, restrictBy(slots, apg().record()));
    if (active == nullptr) return;
    requireContained(active, a.group, name, where);
    checkWithin(a, name, slots, enclosing, where);
}

bool areGhostsFresh(const Descriptor& a, std::initializer_list<OverSome> slots,
                    const ReadSet& bytes) noexcept {
    return firstStale(a, slots, bytes) < 0;
}

bool passesAccess(const Descriptor& a, std::initializer_list<OverSome> slots,
                  std::initializer_list<OverSome> enclosing, const ReadSet& bytes) noexcept {
    if (firstStale(a, slots, bytes) >= 0) return false;
    try {
        checkAccess(a, "", slots, enclosing, Where{});
        return true;
    } catch (const Error&) {
        return false;
    }
}

void raiseAnother(const char* name, Where where) {
    throw DependentIterations(
        compose("'", name,
                "' is another array than at the beginning of this nest: a function that ",
                "the nest calls has assigned it"),
        where);
}

void raiseOutOfBounds(Index e, Index size, int r, Where where) {
    throw OutOfBounds(compose("subscript ", r, " is ", e, ", outside 0 .. ", size - 1), where);
}

Index checkedSubscript(const Descriptor& a, const DistributedIndex& i, Index distance, int r,
                       Where where) {
    checkFits(i.range, a[r].range, "", r, where);
    if (distance != 0) {
        checkShift(distance, a[r].range, i.shift, r, "", where);
        checkGhosts(distance, a, i.shift, r, where, &i);
    }
    return i.sub + i.shift * distance;
}

void checkGroup(const Descriptor& a, Where where) {
    if (a.group.isNull()) raiseNullArray(where);
    requireContained(apg().record(), a.group, "", where);
}

void raiseNotHeld(const GroupRecord* group, const char* file, int line) {
    const Where where{file, line};
    if (group == nullptr) raiseNullArray(where);
    if (group->rank >= 0) throw OutOfBounds("the array has no element in this process", where);
    throw GroupNotContained(compose("the array lies on the ", describe(Group(group)),
                                    ", which this process is not part of"),
                            where);
}

void raiseSubscript(const RangeRecord* index, Index distance, const RangeRecord* array, int r,
                    const char* file, int line) {
    checkFits(BorrowedRange(index), BorrowedRange(array), "", r, {file, line});
    checkShift(distance, BorrowedRange(array), index->stride, r, "", {file, line});
    throw IndexMismatch(
        compose(
            "an index over ", describe(BorrowedRange(index)), " fits dimension ", r,
            ", but local() was not told so: write local(a, {..}) with the ranges of the indices"),
        {file, line});
}

void raiseSubscript(Index sub, Index size, int r, const char* file, int line) {
    raiseOutOfBounds(sub, size, r, {file, line});
}

}  // namespace hpspmd::detail
