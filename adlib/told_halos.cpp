// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "told_halos.hpp"

namespace hpspmd::detail {

constinit std::array<ToldHalos::Told, ToldHalos::capacity> ToldHalos::told_{};
constinit std::size_t ToldHalos::next_ = 0;

std::array<ToldHalos::Kept, ToldHalos::capacity>& ToldHalos::kept() {
    static auto& all = *new std::array<Kept, capacity>;
    return all;
}

bool ToldHalos::haveEqualRest(std::size_t k, const Descriptor& array) {
    for (std::size_t r = shown; r < static_cast<std::size_t>(array.rank); ++r)
        if (kept()[k].ranges[r].record() != array[static_cast<int>(r)].range.record()) return false;
    return true;
}

const std::string* ToldHalos::add(const Descriptor& array, bool isWhole,
                                  const std::vector<plan::HaloWidth>& widths) {
    const std::size_t k = next_++ % capacity;
    Kept& kept = ToldHalos::kept()[k];
    kept = {{}, widths};
    for (const Map& map : array) kept.ranges.push_back(map.range);
    Told& told = told_[k];
    told = {
        array.group.record(), plan::writeHalo(array, widths).origin.text, {}, array.rank, isWhole};
    for (std::size_t r = 0; r < std::min(kept.ranges.size(), shown); ++r)
        told.ranges[r] = kept.ranges[r].record();
    return told.text;
}

}  // namespace hpspmd::detail
