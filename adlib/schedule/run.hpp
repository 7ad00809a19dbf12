// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/schedule.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>

#include "plan/operation.hpp"
#include "schedule/cache.hpp"
#include "schedule/transfer.hpp"

namespace hpspmd::detail {

/// This process's part of an operation.
inline plan::Plan ownPlan(const plan::Operation& operation) {
    return plan::planFor(operation, ownRank());
}

/// The schedule of the call in the APG's cache; make() returns the plan.
template <class MakePlan>
Transfer& cachedTransfer(const Key& key, std::size_t elementSize, const MakePlan& make) {
    return cached<Transfer>(apg(), key,
                            [&] { return std::make_unique<Transfer>(make(), elementSize); });
}

/// Runs the schedule of the call with this key, within one array.
inline void execute(Transfer& schedule, const Call& call, const Key& key, const Operand& array) {
    schedule.execute(enter(call.name, apg(), key.fingerprint(), call.where), array.data,
                     array.data);
}

/// Where the elements are: on a device, or else at home, where they come then.
void executeWhereItIs(Transfer& schedule, const Entered& entered, const Call& call,
                      const Operand& to, const Operand& from, const Combining& combining = {});

/// Runs the schedule of the call with this key, which writes `to`.
inline void execute(Transfer& schedule, const Call& call, const Key& key, const Operand& to,
                    const Operand& from, const Combining& combining = {}) {
    markWritten(to.layout);
    const Entered entered = enter(call.name, apg(), key.fingerprint(), call.where);
    executeWhereItIs(schedule, entered, call, to, from, combining);
    observeWritten(call.name, call.where, to);
}

/// The plan of the call on its own, as a schedule object has it.
template <class MakePlan>
Schedule ownedSchedule(const Call& call, const Key& key, const Operand& to, const Operand& from,
                       const MakePlan& make) {
    return Schedule(std::make_unique<Transfer>(make(), to.elementSize), call, key.fingerprint(), to,
                    from);
}

/// The same of an operation that communicates nothing.
template <class MakePlan>
Schedule localSchedule(const Call& call, const Operand& to, const Operand& from,
                       const MakePlan& make) {
    return Schedule(std::make_unique<Transfer>(make(), to.elementSize), call, 0, to, from);
}

}  // namespace hpspmd::detail
