// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/back_end.hpp"

#include "compose.hpp"
#include "target/rules.hpp"

#include <hpspmd/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <sstream>

namespace hpspmd::detail {
namespace {

/// Filled before main, and not changed any more.
std::vector<BackEnd>& backEnds() {
    static auto& registered = *new std::vector<BackEnd>;
    return registered;
}

/// Null if this program knows none of the kind.
const BackEnd* backEndOf(TargetKind kind) {
    const auto found = std::find_if(backEnds().begin(), backEnds().end(),
                                    [&](const BackEnd& each) { return each.kind == kind; });
    return found == backEnds().end() ? nullptr : &*found;
}

Found findOfKind(TargetKind kind, int number, bool wantsReason) {
    const BackEnd* const backEnd = backEndOf(kind);
    if (backEnd == nullptr)
        return {
            {},
            wantsReason ? compose("this program has no kernels for ", nameOf(Target(kind))) : ""};
    std::string reason = backEnd->whyNot(number);
    if (!reason.empty()) return {{}, std::move(reason)};
    return {Target(kind, number), {}};
}

/// The GPU among its devices that a target means.
Found findGpu(const BackEnd& backEnd, int number, bool wantsReason) {
    if (backEnd.gpuNumber == nullptr) return findOfKind(backEnd.kind, number, wantsReason);
    const int gpu = backEnd.gpuNumber(number);
    if (gpu >= 0) return findOfKind(backEnd.kind, gpu, wantsReason);
    std::string reason = wantsReason ? backEnd.whyNot(-1) : "";
    return {{}, !reason.empty() ? std::move(reason) : "no such device is a GPU"};
}

}  // namespace

bool registerBackEnd(const BackEnd& backEnd) {
    backEnds().push_back(backEnd);
    return true;
}

bool hasKernels() { return backEndOf(TargetKind::Cuda) != nullptr; }

const std::vector<Target>& namedDevices() {
    static const auto& named = *new std::vector<Target>([] {
        std::vector<Target> result;
        const char* const list = std::getenv("HPSPMD_DEVICES");
        std::istringstream words(list != nullptr ? list : "");
        for (std::string word; std::getline(words, word, ',');) {
            const TargetWords target = targetNamed(word);
            if (!target.target) throw TargetUnavailable("HPSPMD_DEVICES: " + target.problem, {});
            const TargetKind kind = target.target->kind();
            if (kind != TargetKind::Cuda && kind != TargetKind::OpenCl && kind != TargetKind::Check)
                throw TargetUnavailable(
                    compose("HPSPMD_DEVICES: '", word,
                            "' is no device: some of cuda, cuda:1, opencl:0.0, check are meant"),
                    {});
            result.push_back(*target.target);
        }
        return result;
    }());
    return named;
}

Found findDevice(const Target& target, bool wantsReason) {
    if (target.kind() == TargetKind::Devices && !namedDevices().empty()) {
        const Target& first = namedDevices().front();
        return findOfKind(first.kind(), first.number(), wantsReason);
    }
    const bool isAny = target.kind() == TargetKind::Gpu || target.kind() == TargetKind::Devices;
    if (!isAny) return findOfKind(target.kind(), target.number(), wantsReason);
    const int number = target.kind() == TargetKind::Gpu ? target.number() : -1;
    const std::initializer_list<TargetKind> gpus = {TargetKind::Cuda, TargetKind::OpenCl};
    if (std::none_of(gpus.begin(), gpus.end(), backEndOf))
        return {{}, wantsReason ? "this program has no kernels" : ""};
    std::string reasons;
    for (const TargetKind kind : gpus) {
        const BackEnd* const backEnd = backEndOf(kind);
        Found found = backEnd != nullptr ? findGpu(*backEnd, number, wantsReason)
                                         : findOfKind(kind, number, wantsReason);
        if (found.device.kind() != TargetKind::None) return found;
        if (wantsReason)
            reasons +=
                compose(reasons.empty() ? "" : "; ", nameOf(Target(kind)), ": ", found.reason);
    }
    return {{}, reasons};
}

}  // namespace hpspmd::detail
