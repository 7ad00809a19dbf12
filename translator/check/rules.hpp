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

// Rule 2: non-local access.
void elementAccess(const Context&, NodePtr subscript);
void indexFits(const Context&, NodePtr subscriptOrSection);
void indexInOperator(const Context&, NodePtr binary);
void indexInUnary(const Context&, NodePtr unary);
void indexInPostfix(const Context&, NodePtr postfix);
void indexInAssignment(const Context&, NodePtr assign);
void indexInInitializer(const Context&, NodePtr initDeclarator);
void indexInCondition(const Context&, NodePtr statement);
void indexInCast(const Context&, NodePtr cast);
void indexInCall(const Context&, NodePtr call);
void indexInReturn(const Context&, NodePtr returnStatement);
void globalIndexOperand(const Context&, NodePtr globalIndex);
void changedElement(const Context&, NodePtr changing);

// Rule 3: mismatches.
void initialization(const Context&, NodePtr initDeclarator);
void memberInitialization(const Context&, NodePtr memberInitializer);
void assignment(const Context&, NodePtr assign);
void callArguments(const Context&, NodePtr call);
void returnedValue(const Context&, NodePtr returnStatement);
void castArray(const Context&, NodePtr cast);
void sectionSubscripts(const Context&, NodePtr section);
void tripletParts(const Context&, NodePtr triplet);
void tripletPlace(const Context&, NodePtr tripletOrSplit);
void onGroup(const Context&, NodePtr on);
void atLocation(const Context&, NodePtr at);
void overallRange(const Context&, NodePtr header);
void overallPlace(const Context&, NodePtr overallExpression);
void restrictionOperand(const Context&, NodePtr binary);
void newExtents(const Context&, NodePtr newMultiarray);
void declaredType(const Context&, NodePtr declaration);
void addressOfArray(const Context&, NodePtr unary);
void deletedArray(const Context&, NodePtr deletion);
void elementOfArray(const Context&, NodePtr multiarrayType);
void arrayAsCondition(const Context&, NodePtr statement);
void arrayInOperator(const Context&, NodePtr binary);
void arrayInAssignment(const Context&, NodePtr assign);
void arrayInUnary(const Context&, NodePtr unary);
void arrayInPostfix(const Context&, NodePtr postfix);
void arrayPrinted(const Context&, NodePtr call);
void rangeForOver(const Context&, NodePtr rangeFor);
void calledObject(const Context&, NodePtr call);
void assignedResult(const Context&, NodePtr assign);
void madeObject(const Context&, NodePtr initDeclarator);
void madeTemporary(const Context&, NodePtr call);
void inquiryArguments(const Context&, NodePtr call);
void adlibWithoutName(const Context&, NodePtr call);
void memberName(const Context&, NodePtr member);
void adlibName(const Context&, NodePtr qualifiedName);
void adlibArguments(const Context&, NodePtr call);

// Rule 4: shifts and ghost cells.
void shiftWidth(const Context&, NodePtr subscript);

// Rule 5: nesting and jumps.
void nestedDimension(const Context&, NodePtr construct);
void jumpOutOfOverall(const Context&, NodePtr jump);

// Rule 6: reachability and definite assignment.
void functionFlow(const Context&, NodePtr functionOrLambda);

// Rule 7: stale ghost cells.
void staleGhosts(const Context&, NodePtr functionOrLambda);

// Rule 8: collective alignment.
void collectiveAlignment(const Context&, NodePtr functionDefinition);

}  // namespace hpcc::check
