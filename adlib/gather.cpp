#include <adlib/gather.hpp>
#include <cstring>

#include "indirect.hpp"
#include "schedule/run.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {
namespace {

using transport::Letters;

/// Tells the holders of the elements which ones are wanted.
std::map<int, std::vector<Index>> askHolders(const Entered& entered, const plan::Accesses& wanted) {
    Letters letters;
    for (const auto& [peer, list] : wanted) {
        std::vector<char>& letter = letters[peer];
        letter.resize(list.size() * sizeof(Index));
        for (std::size_t k = 0; k < list.size(); ++k)
            std::memcpy(letter.data() + k * sizeof(Index), &list[k].theirs, sizeof(Index));
    }
    std::map<int, std::vector<Index>> served;
    for (const auto& [peer, letter] : transport::deliver(entered, apg(), letters)) {
        std::vector<Index>& list = served[peer];
        list.resize(letter.size() / sizeof(Index));
        std::memcpy(list.data(), letter.data(), letter.size());
    }
    return served;
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
