// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/scan.hpp"

#include <algorithm>

#include "plan/layout.hpp"
#include "plan/local_elements.hpp"
#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

/// How the coordinates of a range follow one another.
enum class Sequence { Rising, Falling, Mixed };

Sequence sequenceOf(const Range& x) {
    bool rises = true, falls = true;
    Index last = -1, first = -1;
    for (int c = 0; c < static_cast<int>(x.dim().size()); ++c) {
        const std::vector<Block> blocks = blocksAt(x, c);
        if (blocks.empty()) continue;
        const Block& block = blocks.front();
        if (blocks.size() > 1 || (block.count > 1 && block.globalStep != 1)) return Sequence::Mixed;
        if (first >= 0) {
            rises &= block.globalBase > last;
            falls &= block.globalBase < first;
        }
        first = block.globalBase;
        last = block.globalBase + block.count - 1;
    }
    return rises ? Sequence::Rising : falls ? Sequence::Falling : Sequence::Mixed;
}

/// The processes that share the own lines and hold some of their elements, in the order of these.
std::vector<int> holders(const Descriptor& array, int d) {
    const Range& x = array[d].range;
    const Group along = processesAlong(array, d);
    std::vector<int> result;
    for (int c = 0; c < along.size(); ++c)
        if (!blocksAt(x, c).empty()) result.push_back(member(along, c));
    if (sequenceOf(x) == Sequence::Falling) std::reverse(result.begin(), result.end());
    return result;
}

std::vector<ScanPlan::Step> stepsOf(const std::vector<int>& holders, int process) {
    const auto found = std::find(holders.begin(), holders.end(), process);
    if (found == holders.end()) return {};
    const auto at = [&](std::ptrdiff_t place) {
        const auto size = static_cast<std::ptrdiff_t>(holders.size());
        return 0 <= place && place < size ? holders[static_cast<std::size_t>(place)] : -1;
    };
    const std::ptrdiff_t own = found - holders.begin();
    std::vector<ScanPlan::Step> steps;
    for (std::ptrdiff_t distance = 1; distance < static_cast<std::ptrdiff_t>(holders.size());
         distance *= 2)
        steps.push_back({at(own + distance), at(own - distance)});
    return steps;
}

std::vector<Map> withLast(const Descriptor& array, int d) {
    std::vector<Map> maps(array.begin(), array.end());
    std::rotate(maps.begin() + d, maps.begin() + d + 1, maps.end());
    return maps;
}

}  // namespace

bool isInSequence(const Range& x) { return sequenceOf(x) != Sequence::Mixed; }

ScanPlan scan(const Descriptor& to, const Descriptor& from, int d, int process) {
    ScanPlan plan;
    plan.origin = originOf("scan", {to}, {d});
    const std::vector<Map> toMaps = withLast(to, d), fromMaps = withLast(from, d);
    const Descriptor target{to.group, toMaps.data(), to.rank};
    const Descriptor source{from.group, fromMaps.data(), from.rank};
    plan.lines = localElements<2>(target, process, {memory(target), memory(source)});
    forEachRow(plan.lines,
               [&](const auto&, Index count, const auto&) { plan.count += count > 0 ? 1 : 0; });
    if (plan.count > 0) plan.steps = stepsOf(holders(to, d), process);
    return plan;
}

}  // namespace hpspmd::detail::plan
