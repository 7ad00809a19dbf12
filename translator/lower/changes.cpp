// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/changes.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"

namespace hpcc::lower {
namespace {

/// Of the program's functions a call may assign variables, but not one that only computes.
bool mayAssign(const ast::Effects& effects) {
    return !std::ranges::all_of(effects.calls, analysis::isHarmlessCall);
}

}  // namespace

bool Changes::touch(const ast::Effects& effects, const Demand& demand) {
    if (effects.touches(demand.names)) return true;
    return demand.ofField && isAssignedAnywhere(demand.names) && mayAssign(effects);
}

bool Changes::touch(const std::vector<ast::Effects>& effects, const Demand& demand) {
    return std::ranges::any_of(effects,
                               [&](const ast::Effects& effect) { return touch(effect, demand); });
}

bool Changes::mayChange(const ast::Effects& effects, const Names& names) {
    if (effects.touches(names)) return true;
    if (effects.calls.empty()) return false;
    Names others = names;
    for (const std::string& counter : counters_) others.erase(counter);
    return isAssignedAnywhere(others) && mayAssign(effects);
}

bool Changes::mayChange(const std::vector<ast::Effects>& effects, const Names& names) {
    return std::ranges::any_of(
        effects, [&](const ast::Effects& effect) { return mayChange(effect, names); });
}

bool Changes::isAssignedAnywhere(const Names& names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return whole_.assigns(name); });
}

}  // namespace hpcc::lower
