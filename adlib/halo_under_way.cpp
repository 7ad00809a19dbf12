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
    begin(startHalo(array, request, where), where);
}

HaloUnderWay::HaloUnderWay(const std::vector<HaloPart>& parts, Where where) {
    begin(startHalo(parts, where), where);
}

void HaloUnderWay::begin(Exchange& exchange, Where where) {
    exchange_ = &exchange;
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
    if (exchange_ != nullptr) exchange_->poll();
}

void HaloUnderWay::finish() {
    if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->finish();
}

void HaloUnderWay::noteTime() {
    if (trial_ != nullptr) trial_->note(seconds() - start_);
}

}  // namespace hpspmd::detail
