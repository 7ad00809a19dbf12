// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/words.hpp"

#include <cstdlib>
#include <hpspmd/procs.hpp>
#include <sstream>

namespace hpspmd::detail::cost {
std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

Index number(const std::string& text) {
    char* end = nullptr;
    const Index value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0') fail("'" + text + "' is not an integer");
    return value;
}

namespace {

Range makeRange(const std::string& text, const Group& grid, int axis) {
    const std::vector<std::string> parts = split(text, ':');
    const auto argument = [&](std::size_t k) {
        if (k >= parts.size()) fail("'" + text + "' lacks a number");
        return number(parts[k]);
    };
    if (parts[0] == "star") return CollapsedRange(argument(1));
    const Dimension d = detail::gridDimension(grid, axis, {});
    if (parts[0] == "block") return BlockRange(argument(1), d);
    if (parts[0] == "ext") return ExtBlockRange(argument(1), d, argument(2), argument(3));
    if (parts[0] == "cyclic") return CyclicRange(argument(1), d);
    if (parts[0] == "blockcyclic") return BlockCyclicRange(argument(1), d, argument(2));
    fail("unknown range '" + text + "'");
}

}  // namespace

std::vector<Range> makeRanges(const std::vector<std::string>& texts, const Group& grid) {
    std::vector<Range> ranges;
    for (std::size_t r = 0; r < texts.size(); ++r)
        ranges.push_back(makeRange(texts[r], grid, static_cast<int>(r)));
    return ranges;
}

}  // namespace hpspmd::detail::cost
