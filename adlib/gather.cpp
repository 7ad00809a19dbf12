#include <adlib/gather.hpp>

#include "indirect.hpp"
#include "schedule/run.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {
namespace {

/// Tells the holders of the elements which ones are wanted.
std::map<int, std::vector<Index>> askHolders(const Entered& entered, const plan::Accesses& wanted) {
    std::map<int, std::vector<Index>> places;
    for (const auto& [peer, list] : wanted)
        for (const plan::Access& access : list) places[peer].push_back(access.theirs);
    return transport::deliverLists(entered, apg(), places);
}

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from,
                       const SubscriptArrays& subscripts) {
    requireSubscripts(call, to, from, subscripts);
    requireUntouched(call, to, from, subscripts);
    const plan::Request request =
        plan::gatherRequest(to.layout, from.layout, readable(subscripts), ownRank());
    const Key key = keyOf(Kind::Gather, to, from, subscripts);
    const Entered entered = enter(call.name, apg(), key.fingerprint(), call.where);
    requireInside(entered, call, to, from, request.bad);
    return plan::gatherPlan(ownRank(), request.accesses, askHolders(entered, request.accesses));
}

}  // namespace

void gather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
            Where where) {
    const Call call{"gather", where};
    Transfer transfer(checkedPlan(call, to, from, subscripts), to.elementSize);
    execute(transfer, call, keyOf(Kind::Gather, to, from, subscripts), to, from);
}

Schedule makeGather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
                    Where where) {
    const Call call{"Gather", where};
    return ownedSchedule(call, keyOf(Kind::Gather, to, from, subscripts), to, from,
                         [&] { return checkedPlan(call, to, from, subscripts); });
}

}  // namespace hpspmd::detail
