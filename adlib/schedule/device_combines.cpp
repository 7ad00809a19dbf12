// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/device_combines.hpp"

#include <hpspmd/device/error.hpp>

#include "compose.hpp"
#include "device/backend.hpp"

#include <map>
#include <string>
#include <utility>

namespace hpspmd::detail {
namespace {

/// It stays: devices keep kernels by its address.
struct CombiningKernel {
    std::string text;
    std::array<KernelParameter, 5> parameters;
    KernelText kernel;
};

const KernelText& kernelFor(const DeviceCombining& by, std::size_t size, Where where) {
    static auto& all = *new std::map<std::pair<std::string, char>, CombiningKernel>;
    CombiningKernel& made = all[{by.type, by.sign}];
    if (made.text.empty()) {
        using Kind = KernelParameter::Kind;
        const std::string type = by.type;
        made.text = compose(
            "(Run i_run, INOUT(", type, ", to), IN(", type,
            ", from), IN(long, elements), IN(long, list)) { AT(", type, ", to, 0) AT(const ", type,
            ", from, 0) AT(const long, elements, 0) AT(const long, list, 0) COLUMNS(i, i_run, 1) "
            "{ ",
            type,
            " value = to_at[elements_at[2 * i]]; for (Index k = elements_at[2 * i + 1]; k < "
            "elements_at[2 * i + 3]; ++k) value = value ",
            by.sign, " from_at[list_at[k]]; to_at[elements_at[2 * i]] = value; } }");
        made.parameters = {{{Kind::Run, sizeof(kernels::Run)},
                            {Kind::Array, size},
                            {Kind::Array, size},
                            {Kind::Array, sizeof(Index)},
                            {Kind::Array, sizeof(Index)}}};
    }
    made.kernel = {"combines",
                   {"()", made.text.c_str()},
                   where,
                   1,
                   nullptr,
                   nullptr,
                   made.parameters.data(),
                   made.parameters.size()};
    return made.kernel;
}

}  // namespace

DeviceCombines::DeviceCombines(const std::vector<plan::ScatterPlan::Store>& stores,
                               std::size_t elementSize)
    : size_(elementSize) {
    std::map<Index, std::vector<Index>> lists;
    for (const plan::ScatterPlan::Store& each : stores) lists[each.to].push_back(each.from);
    elements_ = static_cast<Index>(lists.size());
    Index begin = 0;
    for (const auto& [to, list] : lists) {
        places_.insert(places_.end(), {to, begin});
        begin += static_cast<Index>(list.size());
    }
    places_.insert(places_.end(), {0, begin});
    for (const auto& [to, list] : lists) places_.insert(places_.end(), list.begin(), list.end());
}

bool DeviceCombines::prepare(Backend& device) {
    device_ = &device;
    if (elements_ == 0 || device.isHostMemory()) return true;
    const KernelText& kernel = kernelFor(combining_.onDevice, size_, where_);
    if (!device.prepare(kernel, Strides::Wide).empty()) return false;
    if (onDevice_ != nullptr && &onDevice_->device() == &device) return true;
    const std::size_t bytes = places_.size() * sizeof(Index);
    auto made = std::make_unique<DeviceBuffer>(device, bytes);
    if (!made->isThere() ||
        !device.copyIn(made->memory(), reinterpret_cast<const std::byte*>(places_.data()), bytes))
        return false;
    onDevice_ = std::move(made);
    return true;
}

bool DeviceCombines::run(std::byte* to, const std::byte* from) const {
    if (elements_ == 0) return true;
    const std::size_t heads = 2 * static_cast<std::size_t>(elements_ + 1);
    if (device_->isHostMemory()) {
        const auto bytes = static_cast<Index>(size_);
        for (std::size_t k = 0; k + 2 < heads; k += 2)
            for (Index at = places_[k + 1]; at < places_[k + 3]; ++at)
                combining_({to + places_[k] * bytes,
                            from + places_[heads + static_cast<std::size_t>(at)] * bytes, 1, 1, 1,
                            1, 1, 1});
        return true;
    }
    kernels::Run elements{0, elements_ - 1, 0, 0, elements_ - 1};
    const std::byte* const table = onDevice_->memory();
    const std::byte* const list = table + heads * sizeof(Index);
    void* arguments[] = {&elements, static_cast<void*>(&to), static_cast<void*>(&from),
                         const_cast<std::byte**>(&table), const_cast<std::byte**>(&list)};
    try {
        return device_->launch(kernelFor(combining_.onDevice, size_, where_), Strides::Wide,
                               arguments, nullptr);
    } catch (const DeviceError&) {  // the caller knows the place of the call
        return false;
    }
}

}  // namespace hpspmd::detail
