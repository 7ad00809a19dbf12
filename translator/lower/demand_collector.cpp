// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/demand_collector.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {

using ast::NodePtr;

void DemandCollector::visitConditionally(NodePtr node) {
    ++conditional_;
    visit(node);
    --conditional_;
}

void DemandCollector::visitBinary(NodePtr node) {
    visit(node->child(ast::Binary::left));
    if (ast::isShortCircuit(node))
        visitConditionally(node->child(ast::Binary::right));
    else
        visit(node->child(ast::Binary::right));
}

void DemandCollector::visitConditional(NodePtr node) {
    visit(node->child(ast::Conditional::condition));
    visitConditionally(node->child(ast::Conditional::then));
    visitConditionally(node->child(ast::Conditional::otherwise));
}

// A macro may drop its arguments, as assert does under NDEBUG.
void DemandCollector::visitCall(NodePtr node) {
    const bool macro = macros_.mayBeMacro(node);
    inMacro_ += macro ? 1 : 0;
    conditional_ += macro ? 1 : 0;
    const NodePtr callee = ast::withoutParentheses(node->child(ast::Call::callee));
    if (ast::is<ast::Member>(callee)) notePart(callee->child(ast::Member::base), false);
    visitChildren(node);
    inMacro_ -= macro ? 1 : 0;
    conditional_ -= macro ? 1 : 0;
}

void DemandCollector::visitOverallExpression(NodePtr node) {
    const auto headers = node->child(ast::OverallExpression::headers)->children();
    bool pure = true;
    for (const NodePtr header : headers) {
        const NodePtr range = header->child(ast::OverallHeader::range);
        const NodePtr triplet = header->child(ast::OverallHeader::triplet);
        visit(range);
        visit(triplet);
        pure &= ast::isPure(range);
        constructs_.push_back({header->child(ast::OverallHeader::index)->text(), range, triplet});
        active_.push_back(&constructs_.back());
    }
    expressionConstructs_ += headers.size();
    conditional_ += pure ? 0 : 1;
    visit(node->child(ast::OverallExpression::expression));
    conditional_ -= pure ? 0 : 1;
    expressionConstructs_ -= headers.size();
    active_.resize(active_.size() - headers.size());
}

void DemandCollector::visitLambda(NodePtr node) {
    visit(node->child(ast::Lambda::captures));
    onFunction_(node->child(ast::Lambda::body));
}

void DemandCollector::visitFunctionDefinition(NodePtr node) {
    onFunction_(node->child(ast::FunctionDefinition::body));
}

void DemandCollector::visitSubscript(NodePtr node) {
    if (elementAccess(node) != node) notePart(node, true);
    consider(node);
    visitChildren(node);
}

void DemandCollector::visitMember(NodePtr node) {
    notePart(node, true);
    visitChildren(node);
}

// b[i] = a[i - 1] reads all of the element.
void DemandCollector::visitAssign(NodePtr node) {
    const NodePtr value = ast::withoutParentheses(node->child(ast::Assign::value));
    if (elementAccess(value) == value && value) notePart(value, true);
    visitChildren(node);
}

// The outermost expression that reaches into an element comes first.
void DemandCollector::notePart(NodePtr outer, bool isExact) {
    const NodePtr access = elementAccess(outer);
    if (!access) return;
    const PartSurroundings surroundings{
        [](NodePtr subscript) { return ast::asConstant(subscript).has_value(); },
        [](NodePtr) { return nullptr; }};
    ElementPart part = lower::partOf(outer, access, surroundings);
    part.isExact &= isExact;
    parts_.try_emplace(access, std::move(part));
}

ElementPart DemandCollector::partOf(NodePtr access) const {
    if (!mayHaveParts(access->child(ast::Subscript::base))) return {};
    const auto known = parts_.find(access);
    return known == parts_.end() ? ElementPart{"", "", false} : known->second;
}

const Construct* DemandCollector::constructOf(std::string_view index) const {
    const auto found = std::find_if(active_.rbegin(), active_.rend(),
                                    [&](const Construct* c) { return c->index == index; });
    return found == active_.rend() ? nullptr : *found;
}

/// The triplet of a construct of the expression, if it can be evaluated outside.
NodePtr DemandCollector::tripletInExpression(const Construct* over) const {
    const auto inExpression = active_.end() - static_cast<std::ptrdiff_t>(expressionConstructs_);
    if (std::find(inExpression, active_.end(), over) == active_.end()) return nullptr;
    const auto names = ast::namesIn(over->triplet);
    const bool isFixed = std::none_of(inExpression, active_.end(), [&](const Construct* each) {
        return names.contains(each->index);
    });
    return isFixed && ast::isPure(over->triplet) ? over->triplet : nullptr;
}

void DemandCollector::consider(NodePtr access) {
    if (active_.empty() || !isDirectAccess(access)) return;
    Demand demand;
    demand.access = access;
    demand.inMacro = inMacro_ > 0;
    demand.array = access->child(ast::Subscript::base);
    demand.names = ast::namesIn(demand.array);
    demand.ofField = !demand.array->is<ast::Identifier>() ||
                     (demand.array->symbol && demand.array->symbol->kind == ast::SymbolKind::Field);
    for (const NodePtr subscript : access->child(ast::Subscript::subscripts)->children()) {
        CheckedSlot slot;
        if (const auto use = asIndexSubscript(subscript)) {
            slot.over = constructOf(use->index->text());
            if (!slot.over || !slot.over->range) return;
            slot.lo = slot.hi = analysis::constantDistance(*use).value_or(0);
            slot.lo = std::min(slot.lo, 0L);
            slot.hi = std::max(slot.hi, 0L);
            slot.triplet = tripletInExpression(slot.over);
            demand.names.merge(ast::namesIn(slot.over->range));
        } else if (expressionConstructs_ == 0) {
            if (const auto reach = reachOf(subscript)) {
                slot.reaches = {*reach};
                slot.accesses = {access};
            }
        }
        demand.slots.push_back(slot);
    }
    if (demand.hasShifts()) demand.part = partOf(access);
    const auto inExpression = active_.end() - static_cast<std::ptrdiff_t>(expressionConstructs_);
    for (auto construct = inExpression; construct != active_.end(); ++construct) {
        const bool subscripts = std::ranges::any_of(
            demand.slots, [&](const CheckedSlot& slot) { return slot.over == *construct; });
        if (subscripts) continue;
        demand.enclosing.push_back(*construct);
        demand.names.merge(ast::namesIn((*construct)->range));
    }
    const ast::Symbol* named = demand.array->symbol;
    const bool isCertain = conditional_ == 0 && !(named && named->standsForGeneral);
    (isCertain ? demands_ : uncertain_).append(std::move(demand));
}

}  // namespace hpcc::lower
