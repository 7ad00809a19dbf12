// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/report.hpp"
#include "log.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/device/launch.hpp>
#include <hpspmd/target.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

namespace hpspmd::detail {
namespace {

std::atomic<const char*> unawareFile{nullptr};

bool isNamed(const char* variable, const char* value) {
    const char* const named = std::getenv(variable);
    return named != nullptr && std::strcmp(named, value) == 0;
}

/// False from the moment on at which a file is seen whose nests do not ask.
bool objectsAgree() {
    const char* const file = unawareFile.load(std::memory_order_relaxed);
    if (file == nullptr) return true;
    static const bool isTold [[maybe_unused]] = [file] {
        if (isLogWanted())
            std::fprintf(stderr,
                         "hpspmd: no nest runs on a device: %s was not translated by hpcc "
                         "--device\n",
                         file);
        return true;
    }();
    return false;
}

/// Does `on`, or else the environment, say so here?
bool isChosen() {
    const TargetKind kind = activeTarget.kind();
    return kind == TargetKind::None || kind == TargetKind::Check;
}

}  // namespace

bool devicesAreWanted() {
    static const bool result = isNamed("HPSPMD_TARGET", "check");
    return result;
}

bool noteUnawareOfDevices(const char* file) noexcept {
    unawareFile.store(file, std::memory_order_relaxed);
    return true;
}

bool takeToDevice(const Taken* begin, const Taken* end) {
    if (!devicesAreWanted() || !isChosen() || !objectsAgree()) return false;
    Backend& device = checkDevice();
    const bool areReady = std::all_of(begin, end, [&](const Taken& each) {
        return each.storage != nullptr && each.storage->mirror != nullptr &&
               each.storage->mirror->isReadyFor(device);
    });
    if (!areReady) return false;
    std::for_each(begin, end,
                  [&](const Taken& each) { each.storage->mirror->takenTo(device, each.use); });
    return true;
}

std::byte* onDevice(const Storage& storage) { return storage.mirror->memory(); }

void launch(const KernelText& kernel, void** arguments) {
    noteLaunch(kernel);
    checkDevice().launch(kernel, arguments);
}

}  // namespace hpspmd::detail

namespace hpspmd::kernels {

const Order& Order::wanted() {
    static const Order order = [] {
        const char* const named = std::getenv("HPSPMD_CHECK_ORDER");
        const std::string word = named != nullptr ? named : "";
        Order result;
        if (word == "backwards") result.kind = Kind::Backwards;
        if (word.rfind("shuffled", 0) == 0) {
            result.kind = Kind::Shuffled;
            const std::size_t colon = word.find(':');
            if (colon != std::string::npos)
                result.seed =
                    static_cast<unsigned>(std::strtoul(word.c_str() + colon + 1, nullptr, 10));
        }
        return result;
    }();
    return order;
}

void Lanes::shuffle(unsigned seed) {
    start_ = static_cast<Index>(seed) % count_;
    jump_ = static_cast<Index>(seed) % (count_ - 1) + count_ / 2;
    while (jump_ < 2 || std::gcd(jump_, count_) != 1) ++jump_;
}

}  // namespace hpspmd::kernels
