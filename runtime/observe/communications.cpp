// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/communications.hpp"

#include "compose.hpp"
#include "observe/result_file.hpp"

#include <set>

namespace hpspmd::detail {
namespace {

template <class List, class Text>
std::string listOf(const List& list, const Text& text) {
    std::string all = "[";
    for (const auto& each : list) all += compose(all.size() > 1 ? ", " : "", text(each));
    return all + "]";
}

template <class Number>
std::string numbersOf(const std::vector<Number>& numbers) {
    return listOf(numbers, [](Number number) { return std::to_string(number); });
}

bool hasFixed(const GroupRecord& group) {
    for (const int coordinate : group.fixed)
        if (coordinate != GroupRecord::free) return true;
    return false;
}

std::string textOf(const RangeRecord& x) {
    const Format& format = *x.format;
    const bool isDistributed = x.dimension->grid != nullptr;
    std::string text =
        compose("{\"format\": ", quoted(format.name()), ", \"extent\": ", format.extent(),
                ", \"axis\": ", isDistributed ? x.dimension->axis : -1);
    if (const auto parameters = format.parameters(); !parameters.empty())
        text += ", \"parameters\": " + numbersOf(parameters);
    if (x.lo != 0 || x.hi != 0) text += compose(", \"ghosts\": [", x.lo, ", ", x.hi, "]");
    if (x.base != 0 || x.stride != 1 || x.extent != format.extent())
        text += compose(", \"part\": [", x.base, ", ", x.stride, ", ", x.extent, "]");
    return text + "}";
}

}  // namespace

std::string textOf(const GroupRecord& group) {
    const GridRecord& grid = *group.grid;
    std::string text = "{\"extents\": " + listOf(grid.dimensions, [](const DimensionRecord& d) {
                           return std::to_string(d.size);
                       });
    if (hasFixed(group)) text += ", \"fixed\": " + numbersOf(group.fixed);
    if (grid.parent != nullptr) text += ", \"of\": " + textOf(*grid.parent);
    return text + "}";
}

std::string textOf(const Descriptor& array) {
    return compose("{\"group\": ", textOf(*array.group.record()), ", \"ranges\": ",
                   listOf(array, [](const Map& map) { return textOf(*map.range.record()); }), "}");
}

std::string textOf(const Communication& communication) {
    std::string text = compose("\"kind\": ", quoted(communication.kind));
    if (communication.plan != nullptr) text += ", " + *communication.plan;
    if (communication.group != nullptr) text += ", \"group\": " + textOf(*communication.group);
    if (communication.size != 0) text += compose(", \"size\": ", communication.size);
    if (communication.count != 0) text += compose(", \"values\": ", communication.count);
    return text;
}

const std::string* interned(const std::string& text) {
    static auto& texts = *new std::set<std::string>;
    return &*texts.insert(text).first;
}

}  // namespace hpspmd::detail
