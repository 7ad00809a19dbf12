// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device of CUDA a process uses, and why it cannot use one.
#include "crash.hpp"
#include "device/cuda.hpp"
#include "device/mirror.hpp"
#include "target/back_end.hpp"
#include "transport/transport.hpp"

#include <hpspmd/environment.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace hpspmd::detail {
namespace {

/// What the driver shows, once.
struct Shown {
    std::optional<devices::Library> library;
    std::vector<devices::CudaDevice> all;
    std::string problem;  // why there are none
};

const Shown& shown() {
    static const Shown& result = *new Shown([] {
        Shown found;
        try {
            found.library = devices::cudaLibrary();
            found.all = devices::cudaDevicesOf(*found.library);
        } catch (const devices::Unusable& reason) {
            found.problem = reason.what();
        }
        return found;
    }());
    return result;
}

/// Of this process, one after the other among those of a node, if the number is negative.
std::size_t numberOf(int number) {
    if (number >= 0) return static_cast<std::size_t>(number);
    const auto place = static_cast<std::size_t>(environmentRuns() ? jobTransport().nodeRank() : 0);
    return shown().all.empty() ? 0 : place % shown().all.size();
}

/// A device, or why it cannot be used.
struct Opened {
    std::unique_ptr<CudaDevice> device;
    std::string problem;
};

Opened open(std::size_t number) {
    if (!shown().problem.empty()) return {nullptr, shown().problem};
    if (number >= shown().all.size()) return {nullptr, "there is no such device"};
    try {
        return {std::make_unique<CudaDevice>(*shown().library, shown().all[number]), ""};
    } catch (const devices::Unusable& reason) {
        return {nullptr, reason.what()};
    }
}

/// At its first use. Never closed: drivers may be gone when static objects go. Each nest asks.
Opened& opened(int number) {
    static std::mutex& mutex = *new std::mutex;
    static auto& all = *new std::map<std::size_t, Opened>;
    static std::array<std::atomic<Opened*>, 16> first;
    const std::size_t key = numberOf(number);
    if (key < first.size())
        if (Opened* const known = first[key].load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(mutex);
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    Opened& made = all.emplace(key, open(key)).first->second;
    if (key < first.size()) first[key].store(&made, std::memory_order_release);
    takeCrashSignals();
    return made;
}

std::string whyNoCuda(int number) {
    const std::string reason = whyNoMirrors();
    return reason.empty() ? opened(number).problem : reason;
}

}  // namespace

int cudaDevices() { return static_cast<int>(shown().all.size()); }

Backend& cudaDevice(int number) { return *opened(number).device; }

bool registerCuda() {
    static const bool isDone = registerBackEnd({TargetKind::Cuda, whyNoCuda, nullptr});
    return isDone;
}

}  // namespace hpspmd::detail
