// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/remap.hpp>

#include <array>
#include <hpspmd/storage.hpp>
#include <optional>
#include <utility>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/copy_plane.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from) {
    requireSameShape(call, to, from);
    requireContained(call, to);
    requireContained(call, from);
    return ownPlan(plan::remap(to.layout, from.layout));
}

Key keyOf(const Operand& to, const Operand& from) {
    Key key(Kind::Remap);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    return key;
}

/// The elements of an array that this process holds whole, as at most two evenly spaced runs.
struct HeldWhole {
    Index start = 0;
    std::array<Index, 2> counts{1, 1}, steps{0, 0};
};

std::optional<HeldWhole> heldWhole(const Operand& array) {
    const Storage* const storage = array.storage;
    const bool isAtHome = storage == nullptr || storage->mirror == nullptr;
    if (!isAtHome || array.data == nullptr || array.layout.rank > 2) return std::nullopt;
    HeldWhole held;
    for (int r = 0; r < array.layout.rank; ++r) {
        const Map& map = array.layout[r];
        const Blocks blocks = map.range.localBlocks();
        const Block& block = blocks.front();
        if (blocks.size() != 1 || block.count != map.range.size()) return std::nullopt;
        held.start += map.stride * block.localBase;
        held.counts[r] = block.count;
        held.steps[r] = map.stride * block.localStep;
    }
    if (array.layout.rank == 1) {
        std::swap(held.counts[0], held.counts[1]);
        std::swap(held.steps[0], held.steps[1]);
    }
    return held;
}

/// By a process alone, which needs no schedule; false if the elements are not that simple, or
/// somebody observes what would be sent elsewhere.
bool copiesAlone(const Call& call, const Operand& to, const Operand& from,
                 const Combining& combining) {
    if (apg().size() > 1 || combining || observer != nullptr) return false;
    requireSameShape(call, to, from);
    requireContained(call, to);
    requireContained(call, from);
    const auto target = heldWhole(to), source = heldWhole(from);
    if (!target || !source) return false;
    requireDisjoint(call, to, from);
    markWritten(to.layout);
    enter(call.name, apg(), 0, call.where);
    const Plane<2> plane{
        {target->start, source->start},
        target->counts,
        {{{target->steps[0], source->steps[0]}, {target->steps[1], source->steps[1]}}}};
    withSize(to.elementSize, [&](auto size) {
        copyPlane(static_cast<char*>(to.data), static_cast<const char*>(from.data), plane, size);
    });
    return true;
}

}  // namespace

void remap(const Operand& to, const Operand& from, const Combining& combining, Where where) {
    const Call call{"remap", where};
    if (copiesAlone(call, to, from, combining)) return;
    const Key key = keyOf(to, from);
    Transfer& schedule =
        cachedTransfer(key, to.elementSize, [&] { return checkedPlan(call, to, from); });
    requireDisjoint(call, to, from);
    execute(schedule, call, key, to, from, combining);
}

Schedule makeRemap(const Operand& to, const Operand& from, Where where) {
    const Call call{"Remap", where};
    requireDisjoint(call, to, from);
    return ownedSchedule(call, keyOf(to, from), to, from,
                         [&] { return checkedPlan(call, to, from); });
}

}  // namespace hpspmd::detail
