// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/assignment.hpp"

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/returning.hpp"
#include "check/flow/tracked.hpp"
#include "check/words.hpp"

#include <algorithm>

namespace hpcc::check::flow {

// ---- variables -------------------------------------------------------------------------------

std::size_t Assignment::slotOf(const Symbol* symbol) const {
    if (!symbol || symbol->kind != ast::SymbolKind::Variable || symbol->initializer)
        return live_.size();
    const auto found = std::ranges::find(live_, symbol);
    return static_cast<std::size_t>(found - live_.begin());
}

bool Assignment::isFollowed(NodePtr name) const {
    return ast::is<ast::Identifier>(name) && slotOf(name->symbol) < live_.size();
}

void Assignment::assign(const Symbol* symbol) {
    const std::size_t slot = slotOf(symbol);
    if (slot == live_.size()) return;
    state_.assigned.set(slot);
    if (!state_.isReached()) return;
    state_.touched.set(slot);
    everTouched_.set(slot);
}

void Assignment::use(NodePtr name) {
    values_.erase(name->symbol);
    const std::size_t slot = slotOf(name->symbol);
    if (slot == live_.size() || state_.assigned[slot]) return;
    const bool ofHandle = isHandle(typeOf(name->symbol->declaration));
    const Id id = state_.touched[slot]
                      ? (ofHandle ? Id::PerhapsUnassignedHandle : Id::PerhapsUnassigned)
                      : (ofHandle ? Id::UnassignedHandle : Id::Unassigned);
    findings_.push_back({id, name, name->symbol, slot});
    state_.assigned.set(slot);  // told once
}

bool Assignment::surelyHolds(NodePtr condition) const {
    analysis::Bindings known;
    for (const NodePtr name : ast::allOf<ast::Identifier>(condition))
        if (const auto value = values_.find(name->symbol); value != values_.end())
            known.emplace(name->text(), static_cast<long>(value->second));
    return !condition || constantValue(condition, known).value_or(0) != 0;
}

std::size_t Assignment::loopBegins() {
    values_.clear();  // in the next round they may be others
    return findings_.size();
}

// What the body assigns at its end, its beginning finds in the next round.
void Assignment::loopRepeats(std::size_t mark, const State& back) {
    if (!back.isReached()) return;
    for (std::size_t k = mark; k < findings_.size(); ++k) {
        Finding& finding = findings_[k];
        const bool isOuter = finding.slot < live_.size() && live_[finding.slot] == finding.variable;
        if (!isOuter || !back.touched[finding.slot] || !everTouched_[finding.slot]) continue;
        if (finding.id == Id::Unassigned) finding.id = Id::PerhapsUnassigned;
        if (finding.id == Id::UnassignedHandle) finding.id = Id::PerhapsUnassignedHandle;
    }
}

// ---- statements ------------------------------------------------------------------------------

void Assignment::expressionStatement(NodePtr expression) {
    const NodePtr inner = bare(expression);
    const bool isDropped = isFollowed(inner);  // n; reads nothing
    if (isDropped) return;
    if (ast::isUnknownName(inner)) return mayLeave();
    evaluate(expression);
    if (ast::is<ast::Call>(inner) && state_.isReached() && !surelyReturns(inner))
        state_.doubtLast();
}

void Assignment::declare(NodePtr declaration, NodePtr node) {
    const auto [declarator, value] = ast::declaredIn(node);
    if (ast::is<ast::ArrayDeclarator>(declarator))
        evaluate(declarator->child(ast::ArrayDeclarator::size));
    if (value && bindsReference(declarator))
        argument(singleInitializer(value), Passing::Reference);
    else if (value)
        initializer(value, typeOf(node));
    const TypeKind kind = node->symbol ? typeOf(node)->kind : TypeKind::Unknown;
    const bool isNumber = kind == TypeKind::Integer || kind == TypeKind::Bool;
    const NodePtr specifiers = ast::is<ast::Declaration>(declaration)
                                   ? declaration->child(ast::Declaration::specifiers)
                                   : nullptr;
    const bool isPlain = specifiers && !holdsWord(specifiers->text(), "static") &&
                         !holdsWord(specifiers->text(), "thread_local") &&
                         !holdsWord(specifiers->text(), "volatile");
    if (value && isNumber && isPlain && !bindsReference(declarator) && directiveDepth_ == 0)
        if (const auto first = constantValue(singleInitializer(value)))
            values_.insert_or_assign(node->symbol, *first);
    const bool isFollowable = directiveDepth_ == 0 && live_.size() < trackedLimit;
    if (!isFollowable || !startsUnassigned(declaration, node)) return;
    const std::size_t slot = live_.size();
    live_.push_back(node->symbol);
    state_.touched.reset(slot);
    everTouched_.reset(slot);
    state_.assigned.reset(slot);
    for (State::Membership& each : state_.members) each.assigned.reset(slot);
}

}  // namespace hpcc::check::flow
