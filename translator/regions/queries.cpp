// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked of a method that has been planned.
#include <algorithm>

#include "regions/method.hpp"

namespace hpcc::regions {

bool Method::isDivided(NodePtr node) const {
    const auto isInside = [node](NodePtr each) { return node->span().contains(each->span()); };
    return std::ranges::any_of(singles, isInside) || std::ranges::any_of(syncs, isInside) ||
           std::ranges::any_of(divisions, [&](const auto& each) { return isInside(each.first); });
}

const DividedArray* Method::array(const Symbol* symbol) const {
    const auto found = arrays.find(symbol);
    return found != arrays.end() && used.contains(&found->second) ? &found->second : nullptr;
}

const DividedArray* Method::arrayNamed(std::string_view name) const {
    const auto found =
        std::ranges::find_if(arrays, [name](const auto& each) { return each.first->name == name; });
    return found == arrays.end() ? nullptr : &found->second;
}

bool Method::isOnlyRead(const DividedArray& array) const {
    return array.width && !changed.contains(&array) &&
           std::ranges::none_of(
               divisions, [&](const auto& each) { return each.second.along.contains(&array); });
}

Method::Seen Method::seen(const DividedArray* array) const {
    Seen seen;
    for (const auto& [loop, division] : divisions) {
        seen.isWhole |= division.whole.contains(array) || array->isInBlocks();
        const auto found = division.views.find(array);
        if (found == division.views.end()) continue;
        seen.view = {std::max(seen.view.first, found->second.first),
                     std::max(seen.view.second, found->second.second)};
    }
    return seen;
}

long Method::widest() const {
    long widest = 0;
    const auto look = [&](const Division& division) {
        for (const auto& [array, view] : division.views)
            widest = std::max({widest, view.first, view.second});
    };
    for (const auto& [loop, division] : divisions) {
        look(division);
        std::ranges::for_each(division.further, look);
    }
    return widest;
}

bool Method::isReadAslant(const DividedArray* array) const {
    return std::ranges::any_of(
        divisions, [array](const auto& each) { return each.second.aslant.contains(array); });
}

ArraySet Method::changedIn(NodePtr statement) const {
    ArraySet arrays;
    for (const auto& [loop, division] : divisions)
        if (statement->span().contains(loop->span()))
            arrays.insert(division.changed.begin(), division.changed.end());
    return arrays;
}

bool Method::isScattered(std::string_view name) const {
    return std::ranges::any_of(divisions, [name](const auto& each) {
        return std::ranges::any_of(each.second.body.scattered, [name](const auto& scattered) {
            return scattered.first->name == name;
        });
    });
}

}  // namespace hpcc::regions
