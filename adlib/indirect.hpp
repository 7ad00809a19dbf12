#pragma once
// What gather and scatter share.

#include <adlib/subscripts.hpp>
#include <hpspmd/collective.hpp>

#include "contents.hpp"
#include "plan/indirect.hpp"
#include "schedule/cache.hpp"

namespace hpspmd::detail {

/// What each process sends to others in requireInside.
constexpr std::size_t findingBytes = 32;

/// The subscript arrays as plans see them. `subscripts` must outlive the result.
plan::Subscripts readable(const SubscriptArrays& subscripts);

/// Demands that hold for the subscripts of both: aligned with the array over x, which lies in the
/// APG like the indexed one; none of them is written to.
void requireSubscripts(const Call& call, const Operand& walked, const Operand& indexed,
                       const SubscriptArrays& subscripts);
void requireUntouched(const Call& call, const Operand& written, const Operand& read,
                      const SubscriptArrays& subscripts);

/// What the call is known by to the processes that compare it.
Key keyOf(Kind kind, const Operand& to, const Operand& from, const SubscriptArrays& subscripts);

/// AdlibError on all members of the APG if one of them found a bad subscript: that of the first x
/// in row-major order. Else the bits that all of them have in `places`. Collective over the APG.
std::uint64_t requireInside(const Entered& entered, const Call& call, const Operand& walked,
                            const Operand& indexed, const std::optional<plan::BadSubscript>& bad,
                            std::uint64_t places);

/// The arguments of a gather or scatter; `walked` is the array over x, `indexed` the other one.
struct IndirectCall {
    Call call;
    Kind kind;
    const Operand &to, &from, &walked, &indexed;
    const SubscriptArrays& subscripts;

    void requireDemands() const {
        requireSubscripts(call, walked, indexed, subscripts);
        requireUntouched(call, to, from, subscripts);
    }
    Key key() const { return keyOf(kind, to, from, subscripts); }
    Entered enter() const {
        return detail::enter(call.name, apg(), key().fingerprint(), call.where);
    }
};

/// The schedules made last over the APG.
template <class Schedule>
LastMade<Schedule>& lastMade() {
    static auto& ofGroups = *new std::vector<std::pair<Group, std::unique_ptr<LastMade<Schedule>>>>;
    for (const auto& [group, last] : ofGroups)
        if (group == apg()) return *last;
    return *ofGroups.emplace_back(apg(), std::make_unique<LastMade<Schedule>>()).second;
}

/// The schedule of such a call: one of an earlier call, if all members of the APG find that
/// subscripts and mask hold the same as at that one, else make(entered, accesses) of what find()
/// finds that this process needs.
template <class Schedule, class Find, class Make>
Schedule& scheduleOf(const IndirectCall& of, const Key& key, const Find& find, const Make& make) {
    LastMade<Schedule>& last = lastMade<Schedule>();
    const auto matching = last.matching(key, of.subscripts);
    const Entered entered = enter(of.call.name, apg(), key.fingerprint(), of.call.where);
    plan::Request request;
    if (matching == 0) request = find();
    const auto common =
        requireInside(entered, of.call, of.walked, of.indexed, request.bad, matching);
    for (std::size_t place = 0; common >> place != 0; ++place)
        if (common >> place & 1) return last.at(place);
    if (matching != 0) request = find();
    auto made = make(entered, request.accesses);
    return last.keep(of.key(), of.subscripts, std::move(made));
}

/// The same without a look at earlier calls.
template <class Find, class Make>
auto newScheduleOf(const IndirectCall& of, const Find& find, const Make& make) {
    of.requireDemands();
    const plan::Request request = find();
    const Entered entered = of.enter();
    requireInside(entered, of.call, of.walked, of.indexed, request.bad, 0);
    return make(entered, request.accesses);
}

}  // namespace hpspmd::detail
