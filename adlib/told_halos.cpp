// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "told_halos.hpp"

namespace hpspmd::detail {

const std::string* ToldHalos::add(const Descriptor& array, bool isWhole,
                                  const std::vector<plan::HaloWidth>& widths) {
    if (told_.size() < capacity) told_.emplace_back();
    Told& told = told_[next_++ % capacity];
    told = {array.group.record(), isWhole, plan::writeHalo(array, widths).origin.text, {}, widths};
    for (const Map& map : array) told.ranges.push_back(map.range);
    return told.text;
}

}  // namespace hpspmd::detail
