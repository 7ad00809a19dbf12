// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device of OpenCL a process uses, and why it cannot use one.
#include "crash.hpp"
#include "device/mirror.hpp"
#include "device/opencl.hpp"
#include "target/back_end.hpp"
#include "transport/transport.hpp"

#include <hpspmd/environment.hpp>

#include <algorithm>
#include <optional>

namespace hpspmd::detail {
namespace {

using devices::ClDevice;

/// What the driver shows, once.
struct Shown {
    std::optional<devices::Library> library;
    std::vector<ClDevice> all;
    std::string problem;  // why there are none
};

const Shown& shown() {
    static const Shown& result = *new Shown([] {
        Shown found;
        try {
            found.library = devices::openClLibrary();
            found.all = devicesOf(*found.library);
        } catch (const devices::Unusable& reason) {
            found.problem = reason.what();
        }
        return found;
    }());
    return result;
}

int numberOf(const ClDevice& device) {
    return device.platformNumber * devicesPerPlatform + device.number;
}

std::vector<const ClDevice*> usableGpus() {
    std::vector<const ClDevice*> result;
    for (const ClDevice& each : shown().all)
        if (each.isGpu && each.problem.empty()) result.push_back(&each);
    return result;
}

/// The GPU of this process, one after the other among those of a node.
const ClDevice* ownGpu() {
    const std::vector<const ClDevice*> gpus = usableGpus();
    const auto place = static_cast<std::size_t>(environmentRuns() ? jobTransport().nodeRank() : 0);
    return gpus.empty() ? nullptr : gpus[place % gpus.size()];
}

/// Of the target `gpu`; a negative number is none.
int gpuNumber(int n) {
    const std::vector<const ClDevice*> gpus = usableGpus();
    const auto number = static_cast<std::size_t>(n);
    if (n >= 0) return number < gpus.size() ? numberOf(*gpus[number]) : -1;
    const ClDevice* const own = ownGpu();
    return own == nullptr ? -1 : numberOf(*own);
}

/// Null if there is no such device. Of the process's own ones a GPU comes first, then what works.
const ClDevice* deviceOf(int number) {
    const auto& all = shown().all;
    if (number < 0)
        if (const ClDevice* const gpu = ownGpu()) return gpu;
    const auto found = std::find_if(all.begin(), all.end(), [&](const ClDevice& each) {
        return number < 0 ? each.problem.empty() : numberOf(each) == number;
    });
    if (found != all.end()) return &*found;
    return number < 0 && !all.empty() ? &all.front() : nullptr;
}

/// A GPU with more processes than one; a processor serves them all at the same time.
bool isCrowded(const ClDevice& device) {
    return device.isGpu && environmentRuns() &&
           static_cast<std::size_t>(jobTransport().nodeSize()) > usableGpus().size();
}

/// A device, or why it cannot be used.
struct Opened {
    std::unique_ptr<OpenClDevice> device;
    std::string problem;
};

Opened open(int number, int time) {
    if (!shown().problem.empty()) return {nullptr, shown().problem};
    const ClDevice* const device = deviceOf(number);
    if (device == nullptr) return {nullptr, "there is no such device"};
    if (!device->problem.empty()) return {nullptr, device->name + " " + device->problem};
    try {
        return {std::make_unique<OpenClDevice>(*shown().library, *device, time, isCrowded(*device)),
                ""};
    } catch (const devices::Unusable& reason) {
        return {nullptr, reason.what()};
    }
}

/// At its first use. Never closed: drivers may be gone when static objects go.
Opened& opened(int number, int time = 0) {
    static std::mutex& mutex = *new std::mutex;
    static auto& all = *new std::map<std::pair<int, int>, Opened>;
    const std::lock_guard lock(mutex);
    const ClDevice* const device = shown().problem.empty() ? deviceOf(number) : nullptr;
    const std::pair key(device != nullptr ? numberOf(*device) : -1, time);
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    Opened& made = all.emplace(key, open(number, time)).first->second;
    takeCrashSignals();
    return made;
}

std::string whyNoOpenCl(int number) {
    const std::string reason = whyNoMirrors();
    return reason.empty() ? opened(number).problem : reason;
}

}  // namespace

Backend& openClDevice(int number, int time) { return *opened(number, time).device; }

bool registerOpenCl() {
    static const bool isDone = registerBackEnd({TargetKind::OpenCl, whyNoOpenCl, gpuNumber});
    return isDone;
}

}  // namespace hpspmd::detail
