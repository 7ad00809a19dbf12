// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "regions/method.hpp"

namespace hpcc::regions {
namespace {

std::string quoted(const DividedArray* array) { return "'" + array->symbol->name + "'"; }

// 1 below and 2 above of 'a', line k of 'b', all of 'c'
std::string fetchedBefore(const Method& method, const Division& division) {
    std::set<std::string> parts;
    for (const auto& [array, view] : division.views)
        if (method.changed.contains(array) && !division.whole.contains(array))
            parts.insert(std::to_string(view.first) + " below and " + std::to_string(view.second) +
                         " above of " + quoted(array));
    for (const auto& [array, locations] : division.lines)
        for (const std::string& each : locations)
            if (method.changed.contains(array) && !division.whole.contains(array))
                parts.insert("line " + each + " of " + quoted(array));
    for (const DividedArray* array : division.whole)
        if (method.changed.contains(array)) parts.insert("all of " + quoted(array));
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text.empty() ? "nothing" : text;
}

}  // namespace

void tellDivisions(const Method& method, diagnostics::Engine& engine) {
    for (const auto& [loop, division] : method.divisions)
        engine.report(diagnostics::Id::DividedLoop, headOf(loop), fetchedBefore(method, division));
}

}  // namespace hpcc::regions
