// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/changes.hpp"

#include <algorithm>

namespace hpcc::lower {

bool Changes::touch(const ast::Effects& effects, const Demand& demand) {
    if (effects.touches(demand.names)) return true;
    return effects.callsFunctions && demand.ofField && isAssignedAnywhere(demand.names);
}

bool Changes::touch(const std::vector<ast::Effects>& effects, const Demand& demand) {
    return std::ranges::any_of(effects,
                               [&](const ast::Effects& effect) { return touch(effect, demand); });
}

bool Changes::mayChange(const ast::Effects& effects, const Names& names) {
    if (effects.touches(names)) return true;
    if (!effects.callsFunctions) return false;
    Names others = names;
    for (const std::string& counter : counters_) others.erase(counter);
    return isAssignedAnywhere(others);
}

bool Changes::mayChange(const std::vector<ast::Effects>& effects, const Names& names) {
    return std::ranges::any_of(
        effects, [&](const ast::Effects& effect) { return mayChange(effect, names); });
}

bool Changes::isAssignedAnywhere(const Names& names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return whole_.assigns(name); });
}

}  // namespace hpcc::lower
