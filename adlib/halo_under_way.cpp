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

}  // namespace

HaloUnderWay::HaloUnderWay(const Operand& array, const HaloRequest& request, Where where) {
    begin(startHalo(array, request, where), {array}, where);
}

HaloUnderWay::HaloUnderWay(const std::vector<HaloPart>& parts, Where where) {
    std::vector<Operand> arrays;
    for (const HaloPart& part : parts) arrays.push_back(part.array);
    begin(startHalo(parts, where), arrays, where);
}

void HaloUnderWay::begin(Exchange& exchange, const std::vector<Operand>& arrays, Where where) {
    exchange_ = std::static_pointer_cast<Exchange>(exchange.shared_from_this());
    isUnderWay_ = true;
    where_ = where;
    for (const Operand& array : arrays) exchange.keep(array);
    if (wantedOverlapping() == Overlapping::Always) return;
    if (wantedOverlapping() == Overlapping::Never || !exchange.hasMessages()) return finish();
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
    if (!isUnderWay_) return;
    const Call call{"finish of writeHalo", where_};
    isUnderWay_ = false;
    exchange_->finish();
}

void HaloUnderWay::noteTime() {
    if (trial_ != nullptr) trial_->note(seconds() - start_);
}

}  // namespace hpspmd::detail
