// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/back_end.hpp"

#include "compose.hpp"
#include "target/rules.hpp"

namespace hpspmd::detail {
namespace {

/// Filled before main, and not changed any more.
std::vector<BackEnd>& backEnds() {
    static auto& registered = *new std::vector<BackEnd>;
    return registered;
}

Found findOfKind(TargetKind kind, int number) {
    for (const BackEnd& backEnd : backEnds()) {
        if (backEnd.kind != kind) continue;
        std::string reason = backEnd.whyNot(number);
        if (!reason.empty()) return {{}, std::move(reason)};
        return {Target(kind, number), {}};
    }
    return {{}, compose("this program has no kernels for ", nameOf(Target(kind)))};
}

}  // namespace

bool registerBackEnd(const BackEnd& backEnd) {
    backEnds().push_back(backEnd);
    return true;
}

Found findDevice(const Target& target) {
    const bool isAny = target.kind() == TargetKind::Gpu || target.kind() == TargetKind::Devices;
    if (!isAny) return findOfKind(target.kind(), target.number());
    if (backEnds().empty()) return {{}, "this program has no kernels"};
    std::string reasons;
    for (const TargetKind kind : {TargetKind::Cuda, TargetKind::OpenCl}) {
        Found found = findOfKind(kind, target.number());
        if (found.reason.empty()) return found;
        reasons += compose(reasons.empty() ? "" : "; ", nameOf(Target(kind)), ": ", found.reason);
    }
    return {{}, reasons};
}

}  // namespace hpspmd::detail
