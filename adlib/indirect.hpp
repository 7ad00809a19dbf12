// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What gather and scatter share.

#include <adlib/subscripts.hpp>
#include <hpspmd/collective.hpp>
#include <limits>

#include "contents.hpp"
#include "plan/indirect.hpp"
#include "schedule/cache.hpp"

namespace hpspmd::detail {

/// What members of the APG find in subscripts and mask, each and together.
struct Finding {
    static constexpr Index nothingBad = std::numeric_limits<Index>::max();

    plan::BadSubscript first = {nothingBad, 0, 0};
    std::uint64_t places = 0;  ///< of schedules made last, which were made for just this

    void join(const Finding& other);
};
/// What each process sends to others in joined().
constexpr std::size_t findingBytes = sizeof(Finding);

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

/// What all members of the APG found. Collective over the APG.
Finding joined(const Entered& entered, const Finding& mine);

/// AdlibError if there is a bad subscript: that of the first x in row-major order.
void requireInside(const Call& call, const Operand& walked, const Operand& indexed,
                   const Finding& all);

/// The arguments of a gather or scatter; `walked` is the array over x, `indexed` the other one.
struct IndirectCall {
    const Call& call;
    Kind kind;
    const Operand &to, &from, &walked, &indexed;
    const SubscriptArrays& subscripts;

    void requireFittingSubscripts() const { requireSubscripts(call, walked, indexed, subscripts); }
    void requireNoOverlap() const { requireUntouched(call, to, from, subscripts); }
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

/// The lowest place; there is one.
inline std::size_t lowestPlace(std::uint64_t places) {
    std::size_t place = 0;
    while ((places >> place & 1) == 0) ++place;
    return place;
}

/// The schedule of such a call: one of an earlier call, if all members of the APG find that
/// subscripts and mask hold the same as at that one, else make(entered, accesses) of what find()
/// finds that this process needs. join(entered, mine, schedule) returns what all members found;
/// with the schedule that is used if all find the same places, or null.
template <class Schedule, class Find, class Make, class Join>
Schedule& scheduleOf(const IndirectCall& of, const Key& key, const Find& find, const Make& make,
                     const Join& join) {
    LastMade<Schedule>& last = lastMade<Schedule>();
    if (!last.knows(key)) of.requireFittingSubscripts();  // by layouts alone, so once is enough
    Finding mine;
    mine.places = last.matching(key, of.subscripts);
    const Entered entered = enter(of.call.name, apg(), key.fingerprint(), of.call.where);
    plan::Request request;
    if (mine.places == 0) request = find();
    if (request.bad) mine.first = *request.bad;
    const Finding all =
        join(entered, mine, mine.places != 0 ? &last.at(lowestPlace(mine.places)) : nullptr);
    requireInside(of.call, of.walked, of.indexed, all);
    if (all.places != 0) return last.at(lowestPlace(all.places));
    if (mine.places != 0) request = find();
    auto made = make(entered, request.accesses);
    return last.keep(of.key(), of.subscripts, std::move(made));
}

/// The same without a look at earlier calls.
template <class Find, class Make>
auto newScheduleOf(const IndirectCall& of, const Find& find, const Make& make) {
    of.requireFittingSubscripts();
    of.requireNoOverlap();
    const plan::Request request = find();
    const Entered entered = of.enter();
    Finding mine;
    if (request.bad) mine.first = *request.bad;
    requireInside(of.call, of.walked, of.indexed, joined(entered, mine));
    return make(entered, request.accesses);
}

}  // namespace hpspmd::detail
