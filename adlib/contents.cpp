// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contents.hpp"

#include <cstring>
#include <hpspmd/environment.hpp>

#include "plan/local_elements.hpp"
#include "schedule/pack.hpp"

namespace hpspmd::detail {

Contents::Contents(const Operand& array)
    : held_(simplified(
          plan::localElements<1>(array.layout, ownRank(), {plan::memory(array.layout)}))) {
    bytes_.resize(static_cast<std::size_t>(held_.count()) * array.elementSize);
    pack(bytes_.data(), array.data, held_, array.elementSize);
}

bool Contents::areIn(const Operand& array) const {
    const auto size = static_cast<Index>(array.elementSize);
    const char* const data = static_cast<const char*>(array.data);
    const char* bytes = bytes_.data();
    bool same = true;
    plan::forEachRow(held_, [&](const auto& start, Index count, const auto& step) {
        const char* at = data + start[0] * size;
        const Index together = step[0] == 1 ? count : 1;
        for (Index done = 0; same && done < count; done += together) {
            const auto length = static_cast<std::size_t>(together * size);
            same = std::memcmp(at, bytes, length) == 0;
            at += together * step[0] * size;
            bytes += length;
        }
    });
    return same;
}

SubscriptContents::SubscriptContents(const SubscriptArrays& subscripts)
    : list_(subscripts.list.begin(), subscripts.list.end()) {
    if (subscripts.mask) mask_.emplace(*subscripts.mask);
}

bool SubscriptContents::areIn(const SubscriptArrays& subscripts) const {
    for (std::size_t r = 0; r < list_.size(); ++r)
        if (!list_[r].areIn(subscripts.list[r])) return false;
    return !mask_ || mask_->areIn(*subscripts.mask);
}

double averageBytes(const SubscriptArrays& subscripts) {
    double bytes = 0;
    const auto add = [&](const Operand& array) {
        auto all = static_cast<double>(array.elementSize);
        for (const Map& map : array.layout) all *= static_cast<double>(map.range.size());
        bytes += all / array.layout.group.size();
    };
    for (const Integers& each : subscripts.list) add(each.array);
    if (subscripts.mask) add(*subscripts.mask);
    return bytes;
}

}  // namespace hpspmd::detail
