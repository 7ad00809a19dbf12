// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write_halo.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>

#include <optional>

#include "checks/checks.hpp"
#include "ghost_exchange.hpp"
#include "plan/operations.hpp"
#include "schedule/joint.hpp"
#include "schedule/run.hpp"
#include "told_halos.hpp"

namespace hpspmd::detail {
namespace {

/// Width of one side: what was asked for, or the whole extension.
Index width(const int* widths, int r, Index extension) {
    return widths == nullptr ? extension : widths[r];
}

void requireWidth(const Call& call, const char* side, int r, Index width, Index extension) {
    if (width >= 0 && width <= extension) return;
    throw AdlibError(std::string(call.name) + ": " + std::to_string(width) + " cells " + side +
                         " the blocks of dimension " + std::to_string(r) +
                         " were asked for, the range has " + std::to_string(extension),
                     call.where);
}

void requireWidths(const Call& call, const Operand& array, const HaloRequest& request) {
    for (int r = 0; request.low != nullptr && r < array.layout.rank; ++r) {
        const RangeRecord& x = *array.layout[r].range.record();
        requireWidth(call, "below", r, request.low[r], x.reachBelow());
        requireWidth(call, "above", r, request.high[r], x.reachAbove());
    }
}

Adlib::Mode mode(const HaloRequest& request, int r) {
    return request.modes == nullptr ? Adlib::Edge : request.modes[r];
}

plan::HaloWidth widthOf(const Operand& array, const HaloRequest& request, int r) {
    if (mode(request, r) == Adlib::None) return {0, 0, false};
    const RangeRecord& x = *array.layout[r].range.record();
    return {width(request.low, r, x.lo), width(request.high, r, x.hi),
            mode(request, r) == Adlib::Cyclic};
}

std::vector<plan::HaloWidth> widths(const Operand& array, const HaloRequest& request) {
    std::vector<plan::HaloWidth> result;
    for (int r = 0; r < array.layout.rank; ++r) result.push_back(widthOf(array, request, r));
    return result;
}

std::vector<plan::HaloWidth> checkedWidths(const Call& call, const Operand& array,
                                           const HaloRequest& request) {
    requireWidths(call, array, request);
    return widths(array, request);
}

/// Notes what the call fills, of an array or a section of it.
void markFilled(const Operand& array, const HaloRequest& request) {
    Ghosts* const ghosts = array.layout.ghosts;
    for (int r = 0; ghosts != nullptr && r < array.layout.rank; ++r) {
        const Map& map = array.layout[r];
        if (mode(request, r) == Adlib::None) continue;
        ghosts->fill(map, r, width(request.low, r, map.range.loExtension()),
                     width(request.high, r, map.range.hiExtension()),
                     mode(request, r) == Adlib::Cyclic);
    }
}

plan::Plan checkedPlan(const Call& call, const Operand& array, const HaloRequest& request) {
    requireContained(call, array);
    return ownPlan(plan::writeHalo(array.layout, checkedWidths(call, array, request)));
}

/// True if a call with this array exchanges nothing. A process alone has no neighbour but, in a
/// cyclic dimension, itself.
bool movesNothing(const Operand& array, const HaloRequest& request) {
    if (apg().size() > 1) return false;
    for (int r = 0; request.modes != nullptr && r < array.layout.rank; ++r)
        if (request.modes[r] == Adlib::Cyclic) return false;
    return true;
}

/// Tells an observer of a call in which nothing moves. What it would send elsewhere follows from
/// the same text as if it had a plan.
void tellAlone(const Operand& array, const HaloRequest& request) {
    const bool isWhole = request.low == nullptr && request.modes == nullptr;
    const Communication* const known =
        ToldHalos::of(array.layout, array.elementSize, isWhole,
                      [&](int r) { return widthOf(array, request, r); });
    if (known != nullptr) return Telling::repeats(*known);
    Telling::communicates(
        *ToldHalos::add(array.layout, array.elementSize, isWhole, widths(array, request)));
}

void append(Key& key, const Operand& array, const HaloRequest& request) {
    key.add(array.layout).add(static_cast<Index>(array.elementSize));
    if (request.low != nullptr)
        for (int r = 0; r < array.layout.rank; ++r)
            key.add(request.low[r]).add(request.high[r]).add(mode(request, r));
}

Key keyOf(const Operand& array, const HaloRequest& request) {
    Key key(Kind::WriteHalo);
    append(key, array, request);
    return key;
}

HaloRequest requestOf(const HaloPart& part) {
    if (part.low.empty()) return {};
    return {part.low.data(), part.high.data(), part.modes.data()};
}

Key keyOf(const std::vector<HaloPart>& parts) {
    Key key(Kind::WriteHalos);
    for (const HaloPart& part : parts) {
        append(key, part.array, requestOf(part));
        key.add(static_cast<Index>(part.low.size()));
    }
    return key;
}

std::unique_ptr<JointTransfer> checkedTransfer(const Call& call,
                                               const std::vector<HaloPart>& parts) {
    std::vector<JointTransfer::Part> plans;
    for (const HaloPart& part : parts)
        plans.push_back({checkedPlan(call, part.array, requestOf(part)), part.array.elementSize});
    return std::make_unique<JointTransfer>(std::move(plans));
}

std::vector<void*> addresses(const std::vector<HaloPart>& parts) {
    std::vector<void*> result;
    for (const HaloPart& part : parts) result.push_back(part.array.data);
    return result;
}

}  // namespace

bool fillAlone(const Operand& array, const HaloRequest& request, Where where) {
    if (!movesNothing(array, request)) return false;
    const Call call{"writeHalo", where};
    requireContained(call, array);
    requireWidths(call, array, request);
    enter(call.name, apg(), 0, where);
    if (observer != nullptr) tellAlone(array, request);
    markFilled(array, request);
    return true;
}

EnteredHalo::EnteredHalo(const Operand& array, const HaloRequest& request, Where where)
    : call_(std::in_place, "writeHalo", where) {
    const Key key = keyOf(array, request);
    exchange_ = &cachedTransfer(key, array.elementSize,
                                [&] { return checkedPlan(*call_, array, request); });
    entered_ = enter(call_->name, apg(), key.fingerprint(), where);
    markFilled(array, request);
}

void writeHalo(const Operand& array, const HaloRequest& request, Where where) {
    if (fillAlone(array, request, where)) return;
    const EnteredHalo call(array, request, where);
    const Exchange::Arrays arrays = [&](std::size_t) -> const Operand& { return array; };
    GhostExchange ghosts(call.exchange(), call.entered(), arrays);
    ghosts.start(arrays, false);
    ghosts.finish();
}

Schedule makeWriteHalo(const Operand& array, const HaloRequest& request, Where where) {
    const Call call{"WriteHalo", where};
    Schedule schedule = ownedSchedule(call, keyOf(array, request), array, array,
                                      [&] { return checkedPlan(call, array, request); });
    std::vector<Schedule::Filled> filled;
    for (const plan::HaloWidth& width : checkedWidths(call, array, request))
        filled.push_back({width.low, width.high, width.cyclic});
    schedule.fills(std::move(filled));
    return schedule;
}

class PreparedHalos {
public:
    std::unique_ptr<JointTransfer> joint;
    KeptKey key;
};

void DeleteHalos::operator()(PreparedHalos* halos) const { delete halos; }

namespace {

void takeHome(const std::vector<HaloPart>& parts, Where where) {
    for (const HaloPart& part : parts) bringHome(part.array.storage, Use::Writes, where);
}

}  // namespace

EnteredHalo::EnteredHalo(const std::vector<HaloPart>& parts, Where where)
    : call_(std::in_place, "writeHalo", where) {
    const Key key = keyOf(parts);
    exchange_ = &cached<JointTransfer>(apg(), key, [&] { return checkedTransfer(*call_, parts); });
    entered_ = enter(call_->name, apg(), key.fingerprint(), where);
    for (const HaloPart& part : parts) markFilled(part.array, requestOf(part));
}

void writeHalos(const std::vector<HaloPart>& parts, Where where) {
    const EnteredHalo call(parts, where);
    const Exchange::Arrays arrays = [&](std::size_t k) -> const Operand& { return parts[k].array; };
    GhostExchange ghosts(call.exchange(), call.entered(), arrays);
    ghosts.start(arrays, false);
    ghosts.finish();
}

HalosHandle makeWriteHalos(const std::vector<HaloPart>& parts, Where where) {
    const Call call{"WriteHalos", where};
    auto joint = checkedTransfer(call, parts);
    return HalosHandle(new PreparedHalos{std::move(joint), KeptKey(keyOf(parts))});
}

void startHalos(PreparedHalos& halos, const std::vector<HaloPart>& parts, Where where) {
    const Call call{"WriteHalos", where};
    if (halos.joint->isBusy()) raiseUnderWay(call);
    const Key key = keyOf(parts);
    if (halos.key != key) raiseOtherLayouts(call);
    takeHome(parts, where);
    halos.joint->start(enter(call.name, apg(), key.fingerprint(), where), addresses(parts));
    for (const HaloPart& part : parts) {
        halos.joint->keep(part.array);
        markFilled(part.array, requestOf(part));
    }
}

void finishHalos(PreparedHalos& halos, Where where) {
    const Call call{"WriteHalos", where};
    if (!halos.joint->isBusy()) raiseNotStarted(call);
    halos.joint->finish();
}

}  // namespace hpspmd::detail
