// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/made_kernels.hpp"

#include "compose.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <string_view>

namespace hpspmd::detail {
namespace {

constexpr std::string_view codePrefix = "sm_", textPrefix = "compute_";

struct Registry {
    std::mutex mutex;  // libraries may be opened while nests run
    std::vector<const MadeKernel*> all;
};

Registry& registry() {
    static Registry& result = *new Registry;
    return result;
}

bool runsOn(const MadeKernel& kernel, int deviceCapability) {
    return architectureNamed(kernel.architecture).runsOn(deviceCapability);
}

}  // namespace

std::string CudaArchitecture::name() const {
    return compose(isCode ? codePrefix : textPrefix, capability);
}

CudaArchitecture architectureNamed(const std::string& name) {
    constexpr int least = 10, most = 999;
    CudaArchitecture result;
    result.isCode = name.compare(0, codePrefix.size(), codePrefix) == 0;
    const std::string_view prefix = result.isCode ? codePrefix : textPrefix;
    if (name.compare(0, prefix.size(), prefix) != 0) return {};
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, result.capability);
    const bool isNumber = error == std::errc() && stop == end && name[prefix.size()] != '0';
    return isNumber && result.capability >= least && result.capability <= most ? result
                                                                               : CudaArchitecture();
}

std::vector<const MadeKernel*> madeKernelsFor(const KernelKey& key, int deviceCapability) {
    const std::lock_guard lock(registry().mutex);
    std::vector<const MadeKernel*> found;
    for (const MadeKernel* each : registry().all)
        if (each->key == key && runsOn(*each, deviceCapability)) found.push_back(each);
    std::stable_sort(found.begin(), found.end(),
                     [](const MadeKernel* one, const MadeKernel* other) {
                         const CudaArchitecture a = architectureNamed(one->architecture);
                         const CudaArchitecture b = architectureNamed(other->architecture);
                         return a.isCode != b.isCode ? a.isCode : a.capability > b.capability;
                     });
    return found;
}

bool areKernelsMadeFor(int deviceCapability) {
    const std::lock_guard lock(registry().mutex);
    const auto& all = registry().all;
    return std::any_of(all.begin(), all.end(),
                       [&](const MadeKernel* each) { return runsOn(*each, deviceCapability); });
}

bool addMadeKernels(const MadeKernel* begin, const MadeKernel* end) {
    const std::lock_guard lock(registry().mutex);
    for (const MadeKernel* each = begin; each != end; ++each) registry().all.push_back(each);
    return true;
}

}  // namespace hpspmd::detail
