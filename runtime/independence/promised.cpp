// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What divided loops do with the arrays of which the program has promised something.
#include "compose.hpp"
#include "independence/notes.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

/// By the numbers that the program's loops count.
Iteration numbered(const PromisedArray& array, Iteration iteration) {
    for (std::size_t k = 0; k < array.distances.size() && k < iteration.size(); ++k)
        iteration[k].index -= array.distances[k];
    return iteration;
}

}  // namespace

void PromisedArray::sort() {
    std::sort(memory.begin(), memory.end(),
              [](const Memory& a, const Memory& b) { return a.end < b.end; });
}

const PromisedArray::Memory* PromisedArray::memoryAt(const std::byte* address) const {
    const auto found = std::upper_bound(
        memory.begin(), memory.end(), address,
        [](const std::byte* place, const Memory& each) { return place < each.end; });
    return found == memory.end() || address < found->begin ? nullptr : &*found;
}

const std::byte* PromisedArray::elementAt(const std::byte* address) const {
    const Memory* const found = memoryAt(address);
    if (found == nullptr) return nullptr;
    return found->begin +
           static_cast<std::size_t>(address - found->begin) / elementSize * elementSize;
}

std::vector<Index> PromisedArray::indices(const std::byte* element) const {
    const Memory& found = *memoryAt(element);
    Index rest = (element - found.begin) / static_cast<std::ptrdiff_t>(elementSize);
    std::vector<Index> result;
    if (isNested) result.push_back(found.row);
    for (const Index stride : strides) {
        result.push_back(rest / stride);
        rest %= stride;
    }
    if (strides.empty()) result.push_back(rest);
    return result;
}

Index PromisedArray::partOf(Index location) const {
    return std::upper_bound(cuts.begin(), cuts.end(), location) - cuts.begin() - 1;
}

const PromisedArray* Independence::Notes::promisedAt(const std::byte* address) const {
    const auto found = std::find_if(
        promised.begin(), promised.end(),
        [address](const PromisedArray& each) { return each.elementAt(address) != nullptr; });
    return found == promised.end() ? nullptr : &*found;
}

void Independence::take(PromisedArray array) {
    array.sort();
    notes_->promised.push_back(std::move(array));
}

std::string Independence::Notes::beyondView(const PromisedArray& array,
                                            const std::vector<Index>& indices,
                                            const Access& access) const {
    for (std::size_t k = 0; k < array.views.size() && k < access.iteration.size(); ++k) {
        const PromisedArray::View& view = array.views[k];
        const Index distance =
            indices[static_cast<std::size_t>(view.dimension)] - access.iteration[k].index;
        if (access.writes || (-view.below <= distance && distance <= view.above)) continue;
        return compose("iteration ", describe(numbered(array, access.iteration)), " reads element ",
                       describe(indices), " of '", array.name, "' (line ", access.line, "), ",
                       std::abs(distance), distance < 0 ? " below" : " above",
                       " its own, and the view is ", distance < 0 ? view.below : view.above);
    }
    return "";
}

void Independence::Notes::add(const PromisedArray& array, const std::byte* element, Access access) {
    const std::vector<Index> indices = array.indices(element);
    if (found.empty()) found = beyondView(array, indices, access);
    if (!array.isIndependent) return;
    if (array.isInParts() && !access.iteration.empty())
        access.part = array.partOf(access.iteration.front().index);
    access.iteration = numbered(array, std::move(access.iteration));
    const Access* const earlier = elements[element].add(access);
    if (earlier != nullptr && found.empty()) found = describe(*earlier, access, describe(indices));
}

}  // namespace hpspmd::detail
