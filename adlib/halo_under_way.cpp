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

HaloUnderWay::HaloUnderWay(const Operand& array, const HaloRequest& request, Where where)
    : where_(where) {
    if (wantedOverlapping() != Overlapping::Always && fillAlone(array, request, where)) return;
    const bool travels = begin(EnteredHalo(array, request, where),
                               [&](std::size_t) -> const Operand& { return array; });
    if (!travels) finish();
}

HaloUnderWay::HaloUnderWay(const std::vector<HaloPart>& parts, Where where) : where_(where) {
    const bool travels = begin(EnteredHalo(parts, where),
                               [&](std::size_t k) -> const Operand& { return parts[k].array; });
    if (!travels) finish();
}

/// False if it is to be complete before the nest begins.
bool HaloUnderWay::begin(const EnteredHalo& call, const HaloArrays& arrays) {
    Exchange& exchange = call.exchange();
    auto ghosts = std::make_unique<GhostExchange>(exchange, call.entered(), arrays);
    bool travels = mayTravel(exchange, *ghosts);
    if (travels && wantedOverlapping() != Overlapping::Always) {
        Trial& trial = exchange.trials.of(where_);
        travels = trial.overlaps();
        if (trial.isOpen()) {
            trial_ = &trial;
            ghosts->settle();
        }
    }
    isOnDevice_ = ghosts->isOnDevice();
    ghosts->start(arrays, travels);
    exchange_ = std::static_pointer_cast<Exchange>(exchange.shared_from_this());
    ghosts_ = std::move(ghosts);
    isUnderWay_ = true;
    start_ = trial_ != nullptr ? seconds() : 0;
    return travels;
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
