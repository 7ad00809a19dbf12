// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule is, and all of them.
#pragma once

#include "ast/macro_names.hpp"
#include "ast/unit.hpp"
#include "check/alignment/summaries.hpp"
#include "check/foreign_names.hpp"
#include "check/types.hpp"
#include "diagnostics/engine.hpp"

#include <span>
#include <string>
#include <vector>

namespace hpcc::check {

namespace halo {
class Results;
}

using diagnostics::Id;
using diagnostics::Report;

// Where the walk over the tree stands.
struct Context {
    diagnostics::Engine& engine;
    const ForeignNames& foreignNames;
    const ast::MacroNames& macros;
    alignment::Summaries& alignment;
    halo::Results& halos;
    std::vector<NodePtr> path;  // the nodes around the present one, outermost first

    NodePtr parent() const { return path.empty() ? nullptr : path.back(); }

    template <class... Arguments>
    Report report(Id id, NodePtr at, const Arguments&... arguments) const {
        return engine.report(id, at->span(), arguments...);
    }
};

// Looks at one node of the kind that it is registered for, and reports.
using Rule = void (*)(const Context& context, NodePtr node);

struct RuleEntry {
    ast::Kind kind;
    Rule rule;
};

// Each in a file of rules/; what they are about, the table says.
#define RULE(kind, rule) void rule(const Context& context, NodePtr node);
#define ANALYSED_RULE(kind, rule) RULE(kind, rule)
#include "check/all_rules.def"

}  // namespace hpcc::check
