// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/schedule.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>

#include "checks/checks.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

bool sameLayout(const Descriptor& array, const Group& group, const std::vector<Map>& maps) {
    if (array.group != group || array.rank != static_cast<int>(maps.size())) return false;
    for (int r = 0; r < array.rank; ++r)
        if (array[r].range != maps[r].range || array[r].stride != maps[r].stride) return false;
    return true;
}

}  // namespace

MadeFor::MadeFor(const Operand& to, const Operand& from)
    : toGroup_(to.layout.group),
      fromGroup_(from.layout.group),
      toMaps_(to.layout.begin(), to.layout.end()),
      fromMaps_(from.layout.begin(), from.layout.end()) {
    if (to.storage == from.storage) apart_ = to.offset - from.offset;
}

void MadeFor::require(const Call& call, const Operand& to, const Operand& from) {
    if (!sameLayout(to.layout, toGroup_, toMaps_) ||
        !sameLayout(from.layout, fromGroup_, fromMaps_))
        raiseOtherLayouts(call);
    if (to.storage != from.storage || to.offset - from.offset == apart_) return;
    requireDisjoint(call, to, from);
    apart_ = to.offset - from.offset;
}

Schedule::Schedule(std::unique_ptr<Transfer> transfer, const Call& call, Fingerprint plan,
                   const Operand& to, const Operand& from)
    : call_(call.name), plan_(plan), madeFor_(to, from) {
    idle_.push_back(std::move(transfer));
}

void executeWhereItIs(Transfer& schedule, const Entered& entered, const Call& call,
                      const Operand& to, const Operand& from, const Combining& combining) {
    const bool isPlain = !combining && observer == nullptr && !schedule.isBusy();
    if (isPlain && from.storage != nullptr && from.storage->mirror != nullptr &&
        schedule.onDevice().execute(entered, call, to, from))
        return;
    bringHome(from.storage, Use::Reads, call.where);
    bringHome(to.storage, Use::Writes, call.where);
    schedule.execute(entered, to.data, from.data, combining);
}

Schedule::~Schedule() = default;
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;

void Schedule::execute(const Operand& to, const Operand& from, Where where) {
    const Call call{call_, where};
    if (!underWay_.empty() || !filled_.empty() || observer != nullptr) {
        bringHome(from.storage, Use::Reads, where);
        bringHome(to.storage, Use::Writes, where);
        start(to, from, where);
        return finish(where);
    }
    madeFor_.require(call, to, from);
    const Entered entered = plan_ == 0 ? Entered{} : enter(call_, apg(), plan_, where);
    executeWhereItIs(*idle_.back(), entered, call, to, from);
    markWritten(to.layout);
}

void Schedule::start(const Operand& to, const Operand& from, Where where,
                     const Combining& combining) {
    const Call call{call_, where};
    madeFor_.require(call, to, from);
    if (idle_.empty()) idle_.push_back(underWay_.front()->another());
    const Entered entered = plan_ == 0 ? Entered{} : enter(call_, apg(), plan_, where);
    underWay_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    Transfer& next = *underWay_.back();
    next.start(entered, to.data, from.data, combining);
    next.keep(to);
    next.keep(from);
    if (filled_.empty()) {
        if (observer != nullptr) observed_.push_back(to);
        return markWritten(to.layout);
    }
    for (int r = 0; to.layout.ghosts != nullptr && r < to.layout.rank; ++r) {
        const Filled& cells = filled_[static_cast<std::size_t>(r)];
        to.layout.ghosts->fill(to.layout[r], r, cells.low, cells.high, cells.cyclic);
    }
}

void Schedule::finish(Where where) {
    const Call call{call_, where};
    if (underWay_.empty()) raiseNotStarted(call);
    idle_.push_back(std::move(underWay_.front()));
    underWay_.erase(underWay_.begin());
    idle_.back()->finish();
    if (observed_.empty()) return;
    Operand to = observed_.front();
    to.layout = madeFor_.destination();
    observed_.erase(observed_.begin());
    observeWritten(call_, where, to);
}

}  // namespace hpspmd::detail
