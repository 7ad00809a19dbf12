#pragma once

#include <unordered_map>

#include "ast/arena.hpp"
#include "lower/demand.hpp"

namespace hpcc::lower {

/// Where the run-time checks of a unit stand.
///
/// A check stands as far out as every name in it is declared and not yet assigned to, and only
/// where the access is certain to follow: never before a condition, a jump, or a loop that may run
/// zero times (the last unless the loop's own condition can be asked beforehand). So it costs
/// little and is never wrong. What cannot be checked ahead is reached by the library form, which
/// checks itself.
struct CheckPlan {
    /// Statement -> checks directly before it; of an `overall`: at its entry.
    std::unordered_map<ast::NodePtr, Demands> before;
    /// Accesses that one of these checks covers.
    std::unordered_set<ast::NodePtr> covered;
    std::deque<Construct> constructs;

    const Demands* at(ast::NodePtr statement) const {
        const auto found = before.find(statement);
        return found == before.end() ? nullptr : &found->second;
    }
};

CheckPlan planChecks(ast::Arena& arena, ast::NodePtr root);

}  // namespace hpcc::lower
