// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/gather.hpp>

#include "device/mirror.hpp"
#include "gather_notes.hpp"
#include "indirect.hpp"
#include "schedule/run.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {
namespace {

/// Tells the holders of the elements which ones are wanted.
std::map<int, std::vector<Index>> askHolders(const Entered& entered, const plan::Accesses& wanted) {
    return transport::deliverLists(entered, apg(), plan::placesOf(wanted));
}

IndirectCall indirectCall(const Call& call, const Operand& to, const Operand& from,
                          const SubscriptArrays& subscripts) {
    return {call, Kind::Gather, to, from, to, from, subscripts};
}

plan::Request requestOf(const IndirectCall& of) {
    return plan::gatherRequest(of.to.layout, of.from.layout, readable(of.subscripts), ownRank());
}

/// Elsewhere, elements go from device to device rather than with the notes.
bool areAtHome(const Operand& to, const Operand& from) {
    const auto isAtHome = [](const Operand& array) {
        const Mirror* const mirror = array.storage != nullptr ? array.storage->mirror : nullptr;
        return mirror == nullptr || (!mirror->isSplit() && mirror->state() != State::Device);
    };
    return isAtHome(to) && isAtHome(from);
}

plan::Plan planOf(const Entered& entered, const plan::Accesses& accesses) {
    return plan::gatherPlan(ownRank(), accesses, askHolders(entered, accesses));
}

}  // namespace

void gather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
            Where where) {
    const Call call{"gather", where};
    const IndirectCall of = indirectCall(call, to, from, subscripts);
    of.requireNoOverlap();
    const Key key = of.key();
    static auto& notes = *new GatherNotes;
    Transfer& transfer = scheduleOf<Transfer>(
        of, key, [&] { return requestOf(of); },
        [&](const Entered& entered, const plan::Accesses& accesses) {
            return std::make_unique<Transfer>(planOf(entered, accesses), to.elementSize);
        },
        [&](const Entered& entered, const Finding& mine, const Transfer* last) {
            const bool isHere = last != nullptr && areAtHome(to, from);
            return notes.exchange(entered, mine, isHere ? &last->plan() : nullptr, from);
        });
    if (!notes.haveElements()) return execute(transfer, of.call, key, to, from);
    bringHome(to.storage, Use::Writes, where);
    markWritten(to.layout);
    notes.store(transfer.plan(), to, from);
    observeWritten(call.name, call.where, to);
}

Schedule makeGather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
                    Where where) {
    const Call call{"Gather", where};
    const IndirectCall of = indirectCall(call, to, from, subscripts);
    plan::Plan plan = newScheduleOf(
        of, [&] { return requestOf(of); }, planOf);
    return ownedSchedule(of.call, of.key(), to, from, [&] { return std::move(plan); });
}

}  // namespace hpspmd::detail
