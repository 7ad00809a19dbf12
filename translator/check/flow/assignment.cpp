// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/assignment.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/returning.hpp"
#include "check/flow/tracked.hpp"
#include "check/words.hpp"

#include <algorithm>

namespace hpcc::check::flow {

void Assignment::walkBegins() {
    live_.clear();
    findings_.clear();
    values_.clear();
    directiveDepth = 0;
}

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
    state.assigned.set(slot);
    if (!state.isReached()) return;
    state.touched.set(slot);
    everTouched.set(slot);
}

void Assignment::use(NodePtr name) {
    values_.erase(name->symbol);
    const std::size_t slot = slotOf(name->symbol);
    if (slot == live_.size() || state.assigned[slot]) return;
    const Id id = isHandle(typeOf(name->symbol->declaration)) ? Id::UnassignedHandle
                  : state.touched[slot]                       ? Id::PerhapsUnassigned
                                                              : Id::Unassigned;
    findings_.push_back({id, name, name->symbol, slot});
    state.assigned.set(slot);  // told once
}

std::optional<long long> Assignment::valueOf(NodePtr expression) const {
    expression = bare(expression);
    if (const auto value = constantValue(expression)) return *value;
    if (ast::is<ast::Identifier>(expression)) {
        const auto found = values_.find(expression->symbol);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }
    if (logicOf(expression) == Logic::Not) {
        const auto value = valueOf(expression->child(ast::Unary::operand));
        return value ? std::optional<long long>(*value == 0) : std::nullopt;
    }
    if (!ast::is<ast::Binary>(expression)) return std::nullopt;
    const auto left = valueOf(expression->child(ast::Binary::left)),
               right = valueOf(expression->child(ast::Binary::right));
    if (!left || !right) return std::nullopt;
    const std::string_view op = expression->child(ast::Binary::op)->text();
    if (logicOf(expression) == Logic::And) return *left != 0 && *right != 0;
    if (logicOf(expression) == Logic::Or) return *left != 0 || *right != 0;
    if (op == "<") return *left < *right;
    if (op == "<=") return *left <= *right;
    if (op == ">") return *left > *right;
    if (op == ">=") return *left >= *right;
    if (op == "==") return *left == *right;
    return op == "!=" ? std::optional<long long>(*left != *right) : std::nullopt;
}

bool Assignment::surelyHolds(NodePtr condition) {
    const auto value = condition ? valueOf(condition) : 1;
    return value && *value != 0;
}

// What the body assigns at its end, its beginning finds in the next round.
void Assignment::loopRepeats(std::size_t mark, const State& back) {
    if (!back.isReached()) return;
    for (std::size_t k = mark; k < findings_.size(); ++k) {
        Finding& finding = findings_[k];
        const bool isOuter = finding.id == Id::Unassigned && finding.slot < live_.size() &&
                             live_[finding.slot] == finding.variable;
        if (isOuter && back.touched[finding.slot] && everTouched[finding.slot])
            finding.id = Id::PerhapsUnassigned;
    }
}

// ---- statements ------------------------------------------------------------------------------

void Assignment::expressionStatement(NodePtr expression) {
    const NodePtr inner = bare(expression);
    const bool isDropped = isFollowed(inner);  // n; reads nothing
    if (isDropped) return;
    if (ast::is<ast::Identifier>(inner) && !inner->symbol) return mayLeave();  // a macro's name
    evaluate(expression);
    if (ast::is<ast::Call>(inner) && state.isReached() && !surelyReturns(inner)) state.doubtLast();
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
    if (value && isNumber && isPlain && !bindsReference(declarator) && directiveDepth == 0)
        if (const auto first = constantValue(singleInitializer(value)))
            values_.insert_or_assign(node->symbol, *first);
    const bool isFollowable = directiveDepth == 0 && live_.size() < trackedLimit;
    if (!isFollowable || !startsUnassigned(declaration, node)) return;
    const std::size_t slot = live_.size();
    live_.push_back(node->symbol);
    state.touched.reset(slot);
    everTouched.reset(slot);
    state.assigned.reset(slot);
    for (State::Membership& each : state.members) each.assigned.reset(slot);
}

void Assignment::opaque(NodePtr node) { assignNamesIn(node); }

void Assignment::unreachable(NodePtr statement, NodePtr cause) {
    findings_.push_back({Id::UnreachableStatement, statement, nullptr, 0, cause});
}

}  // namespace hpcc::check::flow
