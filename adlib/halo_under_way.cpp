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
    if (wantedOverlapping() == Overlapping::Always) return true;
    return wantedOverlapping() != Overlapping::Never && exchange.hasMessages() &&
           !ghosts.isCrowded();
}

}  // namespace

HaloUnderWay::HaloUnderWay(const Operand& array, const HaloRequest& request, Where where) {
    if (wantedOverlapping() != Overlapping::Always && fillAlone(array, request, where)) return;
    EnteredHalo call(array, request, where);
    begin(call, [&](std::size_t) -> const Operand& { return array; });
}

HaloUnderWay::HaloUnderWay(const std::vector<HaloPart>& parts, Where where) {
    EnteredHalo call(parts, where);
    begin(call, [&](std::size_t k) -> const Operand& { return parts[k].array; });
}

void HaloUnderWay::begin(EnteredHalo& call, const HaloArrays& arrays) {
    Exchange& exchange = call.exchange();
    GhostExchange ghosts(exchange, call.entered(), arrays);
    bool travels = mayTravel(exchange, ghosts);
    if (travels && wantedOverlapping() != Overlapping::Always) {
        Trial& trial = exchange.trials.of(call.entered().where);
        travels = trial.overlaps();
        if (trial.isOpen()) trial_ = &trial;
    }
    if (!travels && trial_ == nullptr) return complete(ghosts, call, arrays);
    isOnDevice_ = ghosts.isOnDevice();
    exchange_ = std::static_pointer_cast<Exchange>(exchange.shared_from_this());
    ghosts_ = std::make_unique<GhostExchange>(std::move(ghosts));
    if (trial_ != nullptr) {
        ghosts_->settle();
        start_ = seconds();
    }
    if (!travels) return complete(*ghosts_, call, arrays);
    ghosts_->start(arrays, true);
    isUnderWay_ = true;
}

/// Nothing of it is left to be done beside the nest.
void HaloUnderWay::complete(GhostExchange& ghosts, EnteredHalo& call, const HaloArrays& arrays) {
    ghosts.start(arrays, false);
    call.leave();
    ghosts.finish();
}

HaloUnderWay::~HaloUnderWay() {
    try {
        finish();
    } catch (...) {
        // The error that has ended the nest is on its way.
    }
}

void HaloUnderWay::poll() {
    if (isUnderWay_) ghosts_->poll();
}

void HaloUnderWay::finish() {
    if (std::exchange(isUnderWay_, false)) ghosts_->finish();
}

void HaloUnderWay::noteTime() {
    if (trial_ == nullptr) return;
    ghosts_->settle();
    trial_->note(seconds() - start_);
}

}  // namespace hpspmd::detail
