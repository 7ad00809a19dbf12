// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/report.hpp"
#include "target/back_end.hpp"
#include "target/rules.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/device/launch.hpp>
#include <hpspmd/target.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>

namespace hpspmd::detail {
namespace {

std::atomic<const char*> unawareFile{nullptr};  // one whose nests do not ask

/// HPSPMD_TARGET=check, or rules, which may name it.
bool isNamed() {
    if (const char* const rules = std::getenv("HPSPMD_RULES"); rules && *rules != 0) return true;
    const char* const words = std::getenv("HPSPMD_TARGET");
    if (words == nullptr) return false;
    const std::optional<Target> target = targetNamed(words).target;
    return target && target->kind() == TargetKind::Check;
}

std::string whyNoCheckDevice(int) {
    if (!devicesAreWanted()) return "neither HPSPMD_TARGET nor a rule has named it at the start";
    const char* const file = unawareFile.load(std::memory_order_relaxed);
    return file == nullptr ? "" : compose(file, " was not translated by hpcc --device");
}

const bool isRegistered [[maybe_unused]] = registerBackEnd({TargetKind::Check, whyNoCheckDevice});

}  // namespace

bool devicesAreWanted() {
    static const bool result = isNamed();
    return result;
}

bool noteUnawareOfDevices(const char* file) noexcept {
    unawareFile.store(file, std::memory_order_relaxed);
    return true;
}

bool takeToDevice(const Site& site, bool isFit, const Taken* begin, const Taken* end) {
    if (!devicesAreWanted() || deviceAt(site).kind() != TargetKind::Check) return false;
    if (!isFit) {
        fallBack(site, "the entry test of its kernel has failed");
        return false;
    }
    Backend& device = checkDevice();
    const bool areReady = std::all_of(begin, end, [&](const Taken& each) {
        return each.storage != nullptr && each.storage->mirror != nullptr &&
               each.storage->mirror->isReadyFor(device);
    });
    if (!areReady) {
        fallBack(site, "one of its arrays stays at home");
        return false;
    }
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
