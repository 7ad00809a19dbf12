// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/halo_under_way.hpp>

#include <chrono>
#include <utility>

#include "write_halo.hpp"

namespace hpspmd::detail {
namespace {

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// True if the nest may begin before it is complete. Else nothing of it needs to be kept.
bool mayTravel(const Exchange& exchange) {
    if (wantedOverlapping() == Overlapping::Always) return true;
    return wantedOverlapping() != Overlapping::Never && exchange.hasMessages();
}

}  // namespace

HaloUnderWay::HaloUnderWay(const Operand& array, const HaloRequest& request, Where where) {
    if (wantedOverlapping() != Overlapping::Always && fillAlone(array, request, where)) return;
    Exchange& exchange = startHalo(array, request, where);
    if (mayTravel(exchange)) exchange.keep(array);
    begin(exchange, where);
}

HaloUnderWay::HaloUnderWay(const std::vector<HaloPart>& parts, Where where) {
    Exchange& exchange = startHalo(parts, where);
    if (mayTravel(exchange))
        for (const HaloPart& part : parts) exchange.keep(part.array);
    begin(exchange, where);
}

void HaloUnderWay::begin(Exchange& exchange, Where where) {
    where_ = where;
    if (!mayTravel(exchange)) return complete(exchange);
    exchange_ = std::static_pointer_cast<Exchange>(exchange.shared_from_this());
    isUnderWay_ = true;
    if (wantedOverlapping() == Overlapping::Always) return;
    Trial& trial = exchange.trials.of(where);
    if (trial.isOpen()) {
        trial_ = &trial;
        start_ = seconds();
    }
    if (!trial.overlaps()) finish();
}

HaloUnderWay::~HaloUnderWay() {
    try {
        finish();
    } catch (...) {
        // The error that has ended the nest is on its way.
    }
}

void HaloUnderWay::poll() {
    if (isUnderWay_) exchange_->poll();
}

void HaloUnderWay::finish() {
    if (isUnderWay_) complete(*exchange_);
}

void HaloUnderWay::complete(Exchange& exchange) {
    const Call call{"finish of writeHalo", where_};
    isUnderWay_ = false;
    exchange.finish();
}

void HaloUnderWay::noteTime() {
    if (trial_ != nullptr) trial_->note(seconds() - start_);
}

}  // namespace hpspmd::detail
