// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/members.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;
using Names = std::unordered_set<std::string_view>;

/// Functions of this file that calls reach.
class Called {
public:
    /// True if one of them assigns a variable of these names: what nests do not count on.
    bool assign(const std::vector<NodePtr>& calls, const Names& names) {
        return std::ranges::any_of(calls, [&](NodePtr call) {
            const NodePtr definition = analysis::definitionOf(call->child(ast::Call::callee));
            if (!definition || !seen_.insert(definition).second) return false;
            const ast::Effects effects = ast::effectsOf(definition->children().back());
            return std::ranges::any_of(
                       names,
                       [&](std::string_view name) { return effects.assigned.contains(name); }) ||
                   assign(effects.calls, names);
        });
    }

private:
    std::unordered_set<NodePtr> seen_;
};

}  // namespace

bool mayBeAssigned(ast::NodePtr member, const ast::Effects& effects) {
    const bool isMember = ast::isSimple(member) && ast::isSafe(member) &&
                          (!ast::is<ast::Identifier>(member) ||
                           (member->symbol && member->symbol->kind == ast::SymbolKind::Field));
    if (!isMember) return false;
    const auto names = ast::namesIn(member);
    return !effects.touches(names) && analysis::mayAssignByCalls(effects) &&
           !Called().assign(effects.calls, names);
}

}  // namespace hpcc::pretranslate
