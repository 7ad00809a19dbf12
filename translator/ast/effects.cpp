#include "ast/effects.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

struct NameCollector : Visitor {
    std::unordered_set<std::string_view> names;
    void visitIdentifier(NodePtr node) override { names.insert(node->text()); }
};

class EffectCollector : public Visitor {
public:
    explicit EffectCollector(Effects& effects) : effects_(effects) {}

    void visitAssign(NodePtr node) override {
        assigned(node->child(Assign::target));
        visitChildren(node);
    }
    void visitPostfix(NodePtr node) override {
        assigned(node->child(Postfix::operand));
        visitChildren(node);
    }
    void visitUnary(NodePtr node) override {
        const std::string_view op = node->child(Unary::op)->text();
        if (op == "++" || op == "--" || op == "&") assigned(node->child(Unary::operand));
        visitChildren(node);
    }
    void visitBinary(NodePtr node) override {
        if (node->child(Binary::op)->text() == ">>") assigned(node->child(Binary::right));
        visitChildren(node);
    }
    void visitCall(NodePtr node) override {
        effects_.callsFunctions |= !isLibrary(node->child(Call::callee)) && !isPure(node);
        if (!takesByValue(node->child(Call::callee))) {
            const auto arguments = node->child(Call::arguments)->children();
            for (size_t k = 0; k < arguments.size(); ++k)
                if (mayAssign(node->child(Call::callee), k)) assigned(arguments[k]);
        }
        visitChildren(node);
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
    void visitReferenceCapture(NodePtr node) override {
        assigned(node->child(ReferenceCapture::name));
        visitChildren(node);
    }

    void visitReturn(NodePtr node) override { jumps(node); }
    void visitBreak(NodePtr node) override { jumps(node); }
    void visitContinue(NodePtr node) override { jumps(node); }
    void visitGoto(NodePtr node) override { jumps(node); }
    void visitThrow(NodePtr node) override { jumps(node); }
    void visitLabel(NodePtr node) override { jumps(node); }
    void visitOpaqueStatement(NodePtr node) override { jumps(node); }

private:
    static bool isLibrary(NodePtr callee) {
        const std::string_view text = callee->text();
        return is<QualifiedName>(callee) &&
               (text.starts_with("Adlib::") || text.starts_with("hpspmd::") ||
                text.starts_with("std::"));
    }

    // A library call or an inquiry takes multiarrays and ranges by value; a name that stands alone
    // as the argument of any other call may be assigned by it.
    static bool takesByValue(NodePtr callee) {
        if (is<QualifiedName>(callee)) {
            const std::string_view text = callee->text();
            return text.starts_with("Adlib::") || text.starts_with("hpspmd::");
        }
        return is<Member>(callee) && isSimple(callee);
    }

    // A known function assigns what it takes by reference to non-const.
    static bool mayAssign(NodePtr callee, size_t argument) {
        const Type* type = callee->type;
        const bool known = type && type->kind == TypeKind::Function &&
                           argument < type->parameters.size() && callee->symbol &&
                           !callee->symbol->previous;
        if (!known) return true;
        const Type& parameter = *type->parameters[argument];
        return parameter.kind == TypeKind::Unknown || (parameter.isReference && !parameter.isConst);
    }

    void assigned(NodePtr target) {
        target = withoutParentheses(target);
        if (target && target->type && target->type->isConst) return;
        // An element is no handle: assigning `a[i]` leaves `a` as it is.
        if (!target || target->is<Subscript>()) return;
        if (!isSimple(target) && !target->is<Comma>() && !target->is<Conditional>()) return;
        NameCollector collector;
        collector.visit(target);
        effects_.assigned.merge(collector.names);
    }

    void declares(NodePtr node, uint32_t slot) {
        if (const NodePtr declarator = node->child(slot)) {
            NameCollector collector;
            collector.visit(declarator);
            effects_.declared.merge(collector.names);
        }
        visitChildren(node);
    }

    void jumps(NodePtr node) {
        effects_.mayJump = true;
        visitChildren(node);
    }

    Effects& effects_;
};

}  // namespace

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
    NameCollector collector;
    collector.visit(node);
    return std::move(collector.names);
}

}  // namespace hpcc::ast
