// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/elsewhere.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>
#include <vector>

#include "grid.hpp"

namespace hpspmd::bill {
namespace {

using detail::GroupRecord;

/// Processes of a recorded group: the product of the extents that are not fixed.
int sizeOf(const Json& group) {
    const std::vector<int> extents = group.at("extents");
    const std::vector<int> fixed =
        group.value("fixed", std::vector<int>(extents.size(), GroupRecord::free));
    int size = 1;
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
        if (fixed.at(axis) == GroupRecord::free) size *= extents[axis];
    return size;
}

/// The grid of a recorded group, in a parent that is as here.
Group gridIn(const Group& parent, const Json& group) {
    std::vector<Index> extents = group.at("extents");
    const int rank = static_cast<int>(extents.size());
    if (extents == detail::balancedExtents(sizeOf(group.at("of")), rank))
        extents = detail::balancedExtents(parent.size(), rank);
    Index size = 1;
    for (const Index extent : extents) {
        if (extent < 1) throw NotKnown("a grid of the run is empty");
        size *= std::min<Index>(extent, parent.size() + Index{1});
        if (size > parent.size())
            throw NotKnown("a grid of the program has extents of its own, for more processes");
    }
    return Group(detail::internGrid(*parent.record(), extents, {"", 0}));
}

/// Calls use(extent of the run, extent here) for each axis with a fixed coordinate.
template <class Use>
void forEachFixed(const Json& text, const Group& here, const Use& use) {
    const std::vector<int> extents = text.at("extents");
    const GroupRecord& record = *here.record();
    const std::vector<int> fixed = text.value("fixed", std::vector<int>());
    for (std::size_t axis = 0; axis < fixed.size(); ++axis)
        if (fixed[axis] != GroupRecord::free)
            use(extents.at(axis), record.grid->dimensions.at(axis).size);
    if (text.contains("of")) forEachFixed(text.at("of"), Group(record.grid->parent), use);
}

}  // namespace

Group Elsewhere::group(const Json& text) const {
    const Group grid = text.contains("of") ? gridIn(group(text.at("of")), text) : apg();
    std::vector<int> fixed = text.value("fixed", std::vector<int>());
    if (fixed.empty()) return grid;
    const auto& dimensions = grid.record()->grid->dimensions;
    if (fixed.size() != dimensions.size()) throw NotKnown("a group of the run is none");
    for (std::size_t axis = 0; axis < fixed.size(); ++axis)
        if (fixed[axis] != GroupRecord::free)
            fixed[axis] = std::clamp(fixed[axis], 0, dimensions[axis].size - 1);
    return Group(detail::internGroup(*grid.record()->grid, fixed));
}

detail::Layouts Elsewhere::array(const Json& text) const {
    const Json& groupText = text.at("group");
    const Group here = group(groupText);
    const Group grid(here.record()->grid->whole);
    std::vector<Range> ranges;
    for (const Json& each : text.at("ranges")) ranges.push_back(range(each, groupText, grid));
    return {here, ranges};
}

double Elsewhere::groupsLike(const Json& text, double seen) const {
    double all = 1, here = 1;
    forEachFixed(text, group(text), [&](int extent, int extentHere) {
        all *= extent;
        here *= extentHere;
    });
    if (all == 1 && here > 1)
        throw NotKnown(
            "where one coordinate is all that there are, an 'at' may be for each or for one");
    return seen == all ? here : std::min(seen, here);
}

Index Elsewhere::extentHere(const Json& text, const Json& group, const Group& grid) const {
    const Index extent = text.at("extent");
    const int axis = text.at("axis");
    if (axis < 0 || scale_ == Scale::Strong) return extent;
    const Index before = group.at("extents").at(static_cast<std::size_t>(axis));
    const Index now = static_cast<Index>(detail::gridDimension(grid, axis, {}).size());
    if (before < 1 || extent > (Index{1} << 50) / now)
        throw NotKnown("an extent would be too large");
    return extent * now / before;
}

/// The range that the one of the array is a part of.
Range Elsewhere::whole(const Json& text, const Json& group, const Group& grid) const {
    std::string format = text.at("format");
    const std::string prefix = "whole ";
    if (format.rfind(prefix, 0) == 0) {
        Json divided = text;
        divided["format"] = format.substr(prefix.size());
        return hpspmd::whole(whole(divided, group, grid));
    }
    const Index extent = extentHere(text, group, grid);
    if (format == "CollapsedRange") return CollapsedRange(extent);
    const Dimension d = detail::gridDimension(grid, text.at("axis"), {});
    const std::vector<Index> parameters = text.value("parameters", std::vector<Index>());
    const std::vector<Index> ghosts = text.value("ghosts", std::vector<Index>());
    if (format == "BlockRange")
        return ghosts.empty() ? Range(BlockRange(extent, d))
                              : ExtBlockRange(extent, d, ghosts.at(0), ghosts.at(1));
    if (format == "CyclicRange") return CyclicRange(extent, d);
    if (format == "BlockCyclicRange") return BlockCyclicRange(extent, d, parameters.at(0));
    if (format == "Dimension") return d;
    if (format != "IrregRange") throw NotKnown("there is no price for a " + format);
    if (parameters.size() != static_cast<std::size_t>(d.size()))
        throw NotKnown("the sizes of an IrregRange are those for " +
                       std::to_string(parameters.size()) + " coordinates");
    return ghosts.empty() ? IrregRange(parameters, d)
                          : IrregRange(parameters, d, ghosts.at(0), ghosts.at(1));
}

Range Elsewhere::range(const Json& text, const Json& group, const Group& grid) const {
    const Range all = whole(text, group, grid);
    if (!text.contains("part")) return all;
    const std::vector<Index> part = text.at("part");
    const Index stride = part.at(1), count = part.at(2);
    if (count == 0) return all.subrange(0, -1);
    // What the range has grown by, the part has: at its end, or its start if it runs backwards.
    const Index more = all.size() - text.at("extent").get<Index>();
    const bool isBackwards = stride < 0;
    const Index first = part.at(0) + (isBackwards && count > 1 ? more : 0);
    const Index steps = count > 1 ? count - 1 + more / std::max<Index>(1, std::abs(stride)) : 0;
    const Index last = first + steps * stride;
    if (std::min(first, last) < 0 || std::max(first, last) >= all.size())
        throw NotKnown("a section would not lie in its array");
    return all.subrange(first, last, count > 1 ? stride : 1);
}

Json withoutCoordinates(const Json& text) {
    Json result = text;
    if (result.is_object())
        for (auto& [name, value] : result.items()) {
            if (name != "fixed") {
                value = withoutCoordinates(value);
                continue;
            }
            for (Json& coordinate : value)
                if (coordinate != GroupRecord::free) coordinate = 0;
        }
    if (result.is_array())
        for (Json& each : result) each = withoutCoordinates(each);
    return result;
}

}  // namespace hpspmd::bill
