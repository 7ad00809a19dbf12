// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/operand.hpp>
#include <atomic>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>
#include <string>

#include "checks/collective_clock.hpp"

namespace hpspmd::detail {
namespace {

/// Where it is. Its name is null while the rest changes.
struct Place {
    std::atomic<const char*> name{nullptr}, file{nullptr};
    std::atomic<int> line{0};
};
Place place;

[[noreturn]] void raiseSeveralThreads(const Call& call) {
    const char* other = nullptr;
    for (int k = 0; other == nullptr && k < 1'000'000; ++k)
        other = place.name.load(std::memory_order_acquire);
    std::string text = "a collective";
    if (other != nullptr)
        text = std::string(other) + " (" + place.file.load() + ":" +
               std::to_string(place.line.load()) + ")";
    throw AdlibError(std::string(call.name) + ": another thread of this process is in " + text +
                         "; call collectives from one thread at a time",
                     call.where);
}

}  // namespace

bool Call::begin() const {
    const void* const own = &activeGroup;
    const void* other = nullptr;
    if (threadInside.load(std::memory_order_relaxed) == own) return false;
    if (!threadInside.compare_exchange_strong(other, own, std::memory_order_acquire))
        raiseSeveralThreads(*this);
    place.file.store(where.file, std::memory_order_relaxed);
    place.line.store(where.line, std::memory_order_relaxed);
    place.name.store(name, std::memory_order_release);
    if (collectiveClock.wanted > 0) collectiveClock.begun = CollectiveClock::Clock::now();
    if (observer != nullptr) Telling::begins(name, where);
    return true;
}

void Call::end() noexcept {
    if (observer != nullptr) Telling::ends();
    if (collectiveClock.wanted > 0)
        collectiveClock.inside += CollectiveClock::Clock::now() - collectiveClock.begun;
    place.name.store(nullptr, std::memory_order_relaxed);
    threadInside.store(nullptr, std::memory_order_release);
}

}  // namespace hpspmd::detail
