// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/halo_under_way.hpp>

#include <chrono>
#include <utility>

#include "ghost_exchange.hpp"
#include "write_halo.hpp"

namespace hpspmd::detail {
namespace {

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// True if the nest may begin before it is complete.
bool mayTravel(const Exchange& exchange, const GhostExchange& ghosts) {
    if (!ghosts.mayTravel()) return false;
    if (wantedOverlapping == Overlapping::Always) return true;
    return wantedOverlapping != Overlapping::Never && exchange.hasMessages() && !ghosts.isCrowded();
}

}  // namespace

struct HaloUnderWay::State {
    std::shared_ptr<Exchange> exchange;  // the cache may drop it meanwhile
    GhostExchange ghosts;
    Trial* trial = nullptr;  // of the exchange; null if nothing is to be measured
    double start = 0;
};

void HaloUnderWay::DeleteState::operator()(State* state) const { delete state; }

void HaloUnderWay::begin(const Operand& array, const HaloRequest& request, Where where) {
    if (wantedOverlapping != Overlapping::Always && fillAlone(array, request, where)) return;
    EnteredHalo call(array, request, where);
    begin(call, [&](std::size_t) -> const Operand& { return array; });
}

void HaloUnderWay::begin(const std::vector<HaloPart>& parts, Where where) {
    EnteredHalo call(parts, where);
    begin(call, [&](std::size_t k) -> const Operand& { return parts[k].array; });
}

void HaloUnderWay::begin(EnteredHalo& call, const HaloArrays& arrays) {
    Exchange& exchange = call.exchange();
    GhostExchange ghosts(exchange, call.entered(), arrays);
    bool travels = mayTravel(exchange, ghosts);
    Trial* measured = nullptr;
    if (travels && wantedOverlapping != Overlapping::Always) {
        Trial& trial = exchange.trials.of(call.entered().where);
        travels = trial.overlaps();
        if (trial.isOpen()) measured = &trial;
    }
    if (!travels && measured == nullptr) return complete(ghosts, call, arrays);
    isOnDevice_ = ghosts.isOnDevice();
    state_.reset(new State{std::static_pointer_cast<Exchange>(exchange.shared_from_this()),
                           std::move(ghosts), measured});
    if (measured != nullptr) {
        state_->ghosts.settle();
        state_->start = seconds();
    }
    if (!travels) return complete(state_->ghosts, call, arrays);
    state_->ghosts.start(arrays, true);
    isUnderWay_ = true;
}

/// Nothing of it is left to be done beside the nest.
void HaloUnderWay::complete(GhostExchange& ghosts, EnteredHalo& call, const HaloArrays& arrays) {
    ghosts.start(arrays, false);
    call.leave();
    ghosts.finish();
}

void HaloUnderWay::end() noexcept {
    try {
        finish();
    } catch (...) {
        // The error that has ended the nest is on its way.
    }
}

void HaloUnderWay::poll() {
    if (isUnderWay_) state_->ghosts.poll();
}

void HaloUnderWay::complete() { state_->ghosts.finish(); }

void HaloUnderWay::note() {
    if (state_->trial == nullptr) return;
    state_->ghosts.settle();
    state_->trial->note(seconds() - state_->start);
}

}  // namespace hpspmd::detail
