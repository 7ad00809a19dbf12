// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning/method_speeds.hpp"

#include <adlib/operand.hpp>
#include <hpspmd/active.hpp>

#include <map>
#include <tuple>

#include "target/back_end.hpp"
#include "tuning/device_sweeps.hpp"
#include "tuning/speeds.hpp"

namespace hpspmd::detail {
namespace {

/// Of all processes of the job by HPSPMD_SPEEDS, those of the APG.
std::vector<double> named(Where where) {
    const std::vector<double> all = pretendedSpeeds(where);
    std::vector<double> own;
    const Group group = apg();
    for (int crd = 0; crd < group.size() && !all.empty(); ++crd)
        own.push_back(all[static_cast<std::size_t>(member(group, crd))]);
    return own;
}

/// Of the devices of this process, or of its memory where it has none.
double ownSpeed(bool isOnDevices) {
    if (isOnDevices && findDevice(targets::devices, false).device.kind() != TargetKind::None)
        if (const double speed = speedOfDevice().elements; speed > 0) return speed;
    return speedOfMemory();
}

std::vector<double> measured(const Site& method, const Dimension& d) {
    const bool isOnDevices = shareAt(method) >= 0;
    const Call call(method.function, method.where);
    if (largestOfAll(call, isOnDevices ? 1 : 0) == 0) return {};
    return leastOfEach(call, d, ownSpeed(isOnDevices));
}

}  // namespace

const std::vector<double>& speedsForMethod(const Site& method, const Dimension& d) {
    static const std::vector<double> equal;
    if (d.size() == 1) return equal;
    const bool areNamed = arePretended();
    if (!areNamed && !hasKernels()) return equal;
    using Key = std::tuple<const GroupRecord*, const char*, int>;
    thread_local std::map<Key, std::vector<double>> known;
    const Key key(apg().record(), areNamed ? "" : method.where.file,
                  areNamed ? 0 : method.where.line);
    auto found = known.find(key);
    if (found == known.end())
        found = known.emplace(key, areNamed ? named(method.where) : measured(method, d)).first;
    return found->second.empty() ? equal : found->second;
}

}  // namespace hpspmd::detail
