// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/changes.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"

namespace hpcc::lower {

ast::Effects Changes::ofLoop(ast::NodePtr loop) const {
    ast::Effects effects = ast::effectsOf(loop);
    if (ast::is<ast::MacroStatement>(loop))
        effects.declared.merge(whole_.macros().namesIn(loop->child(ast::MacroStatement::head)));
    return effects;
}

bool Changes::touch(Effects effects, const Demand& demand) const {
    return std::ranges::any_of(effects, [&](const ast::Effects& each) {
        return each.touches(demand.names) || (demand.ofField && isAssignedAnywhere(demand.names) &&
                                              analysis::mayAssignByCalls(each));
    });
}

bool Changes::survives(Effects effects, Demand& demand) const {
    if (touch(effects, demand)) return false;
    demand.forgetReaches([&](const Names& names) {
        return std::ranges::any_of(
            effects, [&](const ast::Effects& each) { return mayChange(each, names); });
    });
    return true;
}

bool Changes::mayChange(const ast::Effects& effects, const Names& names) const {
    if (effects.touches(names)) return true;
    if (effects.calls.empty()) return false;
    Names others = names;
    for (const std::string& counter : counters_) others.erase(counter);
    return isAssignedAnywhere(others) && analysis::mayAssignByCalls(effects);
}

bool Changes::isAssignedAnywhere(const Names& names) const {
    return std::ranges::any_of(names, [&](std::string_view name) { return whole_.assigns(name); });
}

}  // namespace hpcc::lower
