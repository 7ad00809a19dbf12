// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/assemble.hpp>

#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"
#include "write_halo.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

/// The same elements with every dimension collapsed: what each process has room for.
class Everything {
public:
    explicit Everything(const Descriptor& part) : part_(part) {
        for (const Map& map : part) maps_.push_back({CollapsedRange(map.range.size()), map.stride});
    }

    Descriptor descriptor() const { return {part_.group, maps_.data(), part_.rank, nullptr}; }

private:
    Descriptor part_;
    std::vector<Map> maps_;
};

void requireWhole(const Call& call, const Operand& part) {
    for (int r = 0; r < part.layout.rank; ++r) {
        const Range& x = part.layout[r].range;
        if (isCollapsed(x) || x.record()->isWhole) continue;
        throw AdlibError(std::string(call.name) + ": range " + std::to_string(r) + ", " +
                             describe(x) + ", is not whole: divide() makes views that are",
                         call.where);
    }
}

plan::Plan checkedPlan(const Call& call, const Operand& part) {
    requireWhole(call, part);
    requireContained(call, part);
    return ownPlan(plan::remap(Everything(part.layout).descriptor(), part.layout));
}

Key keyOf(const Operand& part) {
    Key key(Kind::Assemble);
    key.add(part.layout).add(static_cast<Index>(part.elementSize));
    return key;
}

void collect(const Call& call, const Operand& part) {
    const Key key = keyOf(part);
    Transfer& schedule =
        cachedTransfer(key, part.elementSize, [&] { return checkedPlan(call, part); });
    execute(schedule, call, key, part);
    if (part.layout.ghosts != nullptr) part.layout.ghosts->fillAll();
}

/// Of one block of neighbours.
bool hasNeighbours(const Range& x) {
    if (isCollapsed(x)) return true;
    const Format& format = *x.record()->format;
    for (int crd = 0; crd < format.processes(); ++crd)
        if (format.blockCount(crd) != 1 || format.block(crd, 0).globalStep != 1) return false;
    return true;
}

}  // namespace

bool isFresh(const Descriptor& part, const int* low, const int* high) {
    if (part.ghosts == nullptr) return true;
    for (int r = 0; r < part.rank; ++r)
        if (!part.ghosts->areFilled(part[r], r, low[r], high[r])) return false;
    return true;
}

bool haveNeighbours(const Descriptor& part) {
    return std::all_of(part.begin(), part.end(),
                       [](const Map& map) { return hasNeighbours(map.range); });
}

void assemble(const Operand& part, Where where) { collect({"assemble", where}, part); }

Schedule makeAssemble(const Operand& part, Where where) {
    const Call call{"Assemble", where};
    Schedule schedule =
        ownedSchedule(call, keyOf(part), part, part, [&] { return checkedPlan(call, part); });
    std::vector<Schedule::Filled> filled;
    for (const Map& map : part.layout)
        filled.push_back({map.range.size(), map.range.size(), false});
    schedule.fills(std::move(filled));
    return schedule;
}

void refresh(const Operand& part, const int* low, const int* high, Where where) {
    if (isFresh(part.layout, low, high)) return;
    const Call call{"refresh", where};
    requireWhole(call, part);
    if (!haveNeighbours(part.layout)) return collect(call, part);
    const std::vector<Adlib::Mode> modes(static_cast<std::size_t>(part.layout.rank), Adlib::Edge);
    writeHalo(part, {low, high, modes.data()}, where);
}

}  // namespace hpspmd::detail
