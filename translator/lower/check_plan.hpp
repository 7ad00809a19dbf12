// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <unordered_map>

#include "ast/fresh_names.hpp"
#include "ast/unit.hpp"
#include "lower/demand.hpp"
#include "lower/lower.hpp"

namespace hpcc::lower {

/// Where the run-time checks of a unit stand.
///
/// A check stands as far out as every name in it is declared and not yet assigned to, and only
/// where the access is certain to follow: never before a condition, a jump, or a loop that may run
/// zero times (the last unless the loop's own condition can be asked beforehand).
///
/// For an access under a condition a flag is computed there instead (`passes`, which raises
/// nothing), and the check stands at the access, under that flag: a branch that is always
/// predicted. What cannot be checked ahead at all is reached by the library form, which checks
/// itself.
struct CheckPlan {
    /// Statement -> checks and flags directly before it; of an `overall`: at its entry.
    std::unordered_map<ast::NodePtr, Demands> before;
    /// Accesses that one of these checks covers.
    std::unordered_set<ast::NodePtr> covered;
    /// Access -> the dimensions in which one of the checks bounds its sequential subscript.
    std::unordered_map<ast::NodePtr, std::set<size_t>> within;
    /// Accesses inside expressions that depend on a flag, and which.
    std::unordered_map<ast::NodePtr, std::string> flagged;
    std::deque<Construct> constructs;
    std::deque<Home> homes;

    const Demands* at(ast::NodePtr statement) const {
        const auto found = before.find(statement);
        return found == before.end() ? nullptr : &found->second;
    }
};

CheckPlan planChecks(ast::Unit& unit, const ast::FreshNames& names, const Options& options);

}  // namespace hpcc::lower
