// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/effects.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/macro_text.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

/// Adds every identifier in `node` to `names`, but for that of an inquiry, as `size` in
/// `a.size(1)`; of code that is not looked into, all words.
void collectNames(NodePtr node, std::unordered_set<std::string_view>& names) {
    if (!node) return;
    if (node->is<Identifier>()) names.insert(node->text());
    if (node->is<OpaqueExpression>()) return addWords(node->text(), names);
    const NodePtr callee = node->is<Call>() ? node->child(Call::callee) : nullptr;
    if (is<Member>(callee) && (inquiryOf(node) || asksContainer(node))) {
        collectNames(callee->child(Member::base), names);
        return collectNames(node->child(Call::arguments), names);
    }
    for (const NodePtr child : node->children()) collectNames(child, names);
}

// A library call or an inquiry takes multiarrays and ranges by value; a name that stands alone
// as the argument of any other call may be assigned by it. Index(i) makes a number.
bool takesByValue(NodePtr callee) {
    const Symbol* symbol = callee ? callee->symbol : nullptr;
    const bool isType =
        symbol && (symbol->kind == SymbolKind::TemplateParameter ||
                   symbol->kind == SymbolKind::Alias || symbol->kind == SymbolKind::Class);
    return (isType && isNumber(symbol->type)) || isLibraryName(callee) ||
           (is<Member>(callee) && isSimple(callee));
}

void addTarget(NodePtr target, std::unordered_set<std::string_view>& names) {
    target = withoutParentheses(target);
    if (target && target->type && target->type->isConst) return;
    if (!target) return;
    if (target->is<Comma>()) return addTarget(target->child(Comma::right), names);
    if (target->is<Conditional>()) {
        addTarget(target->child(Conditional::then), names);
        return addTarget(target->child(Conditional::otherwise), names);
    }
    // An element is no handle: assigning `a[i]` leaves `a` as it is.
    if (isSimple(target)) collectNames(target, names);
}

class EffectCollector : public Visitor {
public:
    explicit EffectCollector(Effects& effects) : effects_(effects) {}

    void visitAssign(NodePtr node) override { assigns(node); }
    void visitPostfix(NodePtr node) override { assigns(node); }
    void visitUnary(NodePtr node) override { assigns(node); }
    void visitBinary(NodePtr node) override { assigns(node); }
    void visitReferenceCapture(NodePtr node) override { assigns(node); }
    void visitCall(NodePtr node) override {
        if (!isKnown(node->child(Call::callee)) && !isMathematicalCall(node) && !isPure(node) &&
            !asksContainer(node))
            effects_.calls.push_back(node);
        assigns(node);
    }

    void visitInitDeclarator(NodePtr node) override { declares(node, InitDeclarator::declarator); }
    void visitParameter(NodePtr node) override { declares(node, Parameter::declarator); }
    void visitConditionDeclaration(NodePtr node) override {
        declares(node, ConditionDeclaration::declarator);
    }
    void visitRangeFor(NodePtr node) override { declares(node, RangeFor::declarator); }
    void visitOverallHeader(NodePtr node) override { declares(node, OverallHeader::index); }
    void visitAt(NodePtr node) override { declares(node, At::index); }
    void visitValueCapture(NodePtr node) override {
        if (node->child(ValueCapture::initializer)) declares(node, ValueCapture::name);
    }

    void visitReturn(NodePtr node) override { jumps(node); }
    void visitBreak(NodePtr node) override { jumps(node); }
    void visitContinue(NodePtr node) override { jumps(node); }
    void visitGoto(NodePtr node) override { jumps(node); }
    void visitThrow(NodePtr node) override { jumps(node); }
    void visitLabel(NodePtr node) override { jumps(node); }
    void visitOpaqueStatement(NodePtr node) override { jumps(node); }

private:
    static bool isKnown(NodePtr callee) {
        return isLibraryName(callee) ||
               (is<QualifiedName>(callee) && callee->text().starts_with("std::"));
    }

    void assigns(NodePtr node) {
        addAssigned(node, effects_.assigned);
        visitChildren(node);
    }

    void declares(NodePtr node, uint32_t slot) {
        const NodePtr declarator = node->child(slot), name = declaredName(declarator);
        collectNames(is<Identifier>(name) ? name : declarator, effects_.declared);
        visitChildren(node);
    }

    void jumps(NodePtr node) {
        effects_.mayJump = true;
        visitChildren(node);
    }

    Effects& effects_;
};

}  // namespace

NodePtr changedOperand(NodePtr node) {
    if (node->is<Assign>()) return node->child(Assign::target);
    if (node->is<Postfix>()) return node->child(Postfix::operand);
    if (!node->is<Unary>()) return nullptr;
    const std::string_view op = node->child(Unary::op)->text();
    return op == "++" || op == "--" ? node->child(Unary::operand) : nullptr;
}

bool isUnknownName(NodePtr expression) {
    expression = withoutParentheses(expression);
    return is<Identifier>(expression) && !expression->symbol;
}

void addAssigned(NodePtr node, std::unordered_set<std::string_view>& names) {
    switch (node->kind()) {
    case Kind::Assign:
        return addTarget(node->child(Assign::target), names);
    case Kind::Postfix:
        return addTarget(node->child(Postfix::operand), names);
    case Kind::Unary: {
        const std::string_view op = node->child(Unary::op)->text();
        if (op == "++" || op == "--" || op == "&") addTarget(node->child(Unary::operand), names);
        return;
    }
    case Kind::Binary:
        if (node->child(Binary::op)->text() == ">>") addTarget(node->child(Binary::right), names);
        return;
    case Kind::ReferenceCapture:
        return addTarget(node->child(ReferenceCapture::name), names);
    case Kind::Call: {
        const NodePtr callee = node->child(Call::callee);
        if (takesByValue(callee) || asksContainer(node)) return;
        const auto arguments = node->child(Call::arguments)->children();
        for (size_t k = 0; k < arguments.size(); ++k)
            if (mayAssign(callee, k)) addTarget(arguments[k], names);
        return;
    }
    default:
        return;
    }
}

bool Effects::touches(const std::unordered_set<std::string_view>& names) const {
    return std::ranges::any_of(names, [this](std::string_view name) {
        return declared.contains(name) || assigned.contains(name);
    });
}

Effects effectsOf(NodePtr node) {
    Effects effects;
    if (node) EffectCollector(effects).visit(node);
    return effects;
}

std::unordered_set<std::string_view> namesIn(NodePtr node) {
    std::unordered_set<std::string_view> names;
    collectNames(node, names);
    return names;
}

}  // namespace hpcc::ast
