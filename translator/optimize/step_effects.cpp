// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/step_effects.hpp"

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/static_visitor.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {
namespace {

/// What single nodes do.
class OwnEffects {
public:
    OwnEffects(const Names& names, StepEffects& effects) : names_(names), effects_(effects) {}

    void of(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Assign:
            return assign(node->child(ast::Assign::target));
        case ast::Kind::Postfix:
            return assign(node->child(ast::Postfix::operand));
        case ast::Kind::Unary:
            return unary(node);
        case ast::Kind::Binary:
            return stream(node);
        case ast::Kind::Call:
            return call(node);
        case ast::Kind::New:
            passAll(node->child(ast::New::initializer));
            return callUnknown();
        case ast::Kind::Delete:
            return callUnknown();
        case ast::Kind::Throw:
            effects_.reachesOutside = true;
            return;
        case ast::Kind::FunctionalCast:
            return cast(node);
        case ast::Kind::InitDeclarator:
            return initialized(node, node->child(ast::InitDeclarator::initializer));
        case ast::Kind::ConditionDeclaration:
            return initialized(node, node->child(ast::ConditionDeclaration::initializer));
        case ast::Kind::RangeFor:
            return bind(node);
        case ast::Kind::Lambda:
            return capture(node);
        default:
            return;
        }
    }

private:
    static bool isValueType(NodePtr node) {
        const ast::Type* type = node->type;
        return type &&
               (type->kind == ast::TypeKind::Integer || type->kind == ast::TypeKind::Floating ||
                type->kind == ast::TypeKind::Bool || isHandleType(type));
    }

    void callUnknown() { effects_.reachesOutside = effects_.callsUnknown = true; }

    void unary(NodePtr node) {
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") assign(node->child(ast::Unary::operand));
        if (op == "&") escape(node->child(ast::Unary::operand));
        if (op.starts_with("co_")) callUnknown();
    }

    void stream(NodePtr node) {
        const NodePtr left = node->child(ast::Binary::left);
        if (left->type && left->type->kind == ast::TypeKind::Integer) return;
        const std::string_view op = node->child(ast::Binary::op)->text();
        if (op == ">>") assign(node->child(ast::Binary::right));
        if (op == ">>" || op == "<<") callUnknown();
    }

    void cast(NodePtr node) {
        if (node->child(ast::FunctionalCast::type)->is<ast::BuiltinType>() || isValueType(node))
            return;
        passAll(node->child(ast::FunctionalCast::arguments));
        callUnknown();
    }

    /// What the variable of a loop is bound to.
    void bind(NodePtr node) {
        const int variable = names_.declaredBy(node);
        if (variable < 0 || names_[variable].isReference) escape(node->child(ast::RangeFor::range));
        if (!ast::is<ast::Call>(node->child(ast::RangeFor::range)))
            effects_.reachesOutside |= !isHandleType(node->child(ast::RangeFor::range)->type);
    }

    void capture(NodePtr lambda) {
        for (const NodePtr capture : lambda->child(ast::Lambda::captures)->children())
            if (ast::is<ast::ReferenceCapture>(capture))
                escape(capture->child(ast::ReferenceCapture::initializer));
    }

    void call(NodePtr node) {
        if (ast::inquiryOf(node) || ast::isMathematicalCall(node)) return;
        const NodePtr callee = node->child(ast::Call::callee);
        const NodePtr arguments = node->child(ast::Call::arguments);
        // Checks are questions that may throw; the other one is a conversion.
        const bool isLibrary = ast::isLibraryName(callee);
        if (isLibrary && callee->text().starts_with("hpspmd::detail::")) return;
        if (callee->text() == "hpspmd::Index") return;
        callUnknown();
        if (isLibrary) return;
        for (size_t k = 0; k < arguments->children().size(); ++k)
            if (ast::mayAssign(callee, k)) pass(arguments->children()[k], keepsNothing(callee));
        if (ast::is<ast::Member>(callee)) {
            const NodePtr base = callee->child(ast::Member::base);
            if (!isHandleType(base->type) && !(base->type && base->type->isConst)) assign(base);
        }
    }

    /// Assigns its arguments, but does not remember where they are.
    static bool keepsNothing(NodePtr callee) {
        const std::string_view name = callee->text();
        return name == "std::swap" || name == "std::move" || name == "std::exchange";
    }

    void initialized(NodePtr node, NodePtr initializer) {
        const int variable = names_.declaredBy(node);
        if (initializer && (variable < 0 || names_[variable].isReference)) escape(initializer);
        const bool constructor =
            ast::is<ast::Arguments>(initializer) || ast::is<ast::BracedInitializer>(initializer);
        if (constructor && variable >= 0 && !isKnownClass(names_[variable])) {
            passAll(initializer);
            callUnknown();
        }
    }

    /// A number, or a class of the runtime: its constructor takes everything by value.
    bool isKnownClass(const Variable& variable) const {
        if (!variable.specifiers) return false;
        if (variable.specifiers->text().find("hpspmd::") != std::string_view::npos) return true;
        const NodePtr core = variable.specifiers->is<ast::Specifiers>()
                                 ? variable.specifiers->child(ast::Specifiers::core)
                                 : nullptr;
        if (ast::is<ast::BuiltinType>(core)) return true;
        const NodePtr declarator = variable.declaration->child(0);
        const ast::Symbol* symbol = declarator ? declarator->symbol : nullptr;
        return symbol && symbol->type &&
               (isHandleType(symbol->type) || symbol->type->kind == ast::TypeKind::Integer ||
                symbol->type->kind == ast::TypeKind::Floating);
    }

    void passAll(NodePtr arguments) {
        if (!arguments) return;
        for (const NodePtr argument : arguments->children())
            if (argument) pass(argument);
    }

    /// An argument that unknown code may bind to a reference.
    void pass(NodePtr argument, bool isForgotten = false) {
        argument = ast::withoutParentheses(argument);
        if (argument->type && argument->type->isConst && !argument->type->isReference) return;
        if (!ast::isSimple(argument) && !argument->is<ast::Subscript>()) return;
        assign(argument);
        if (!isForgotten) escape(argument);
    }

    void escape(NodePtr expression) {
        if (!expression || isElementAccess(names_, ast::withoutParentheses(expression))) return;
        forEachRoot(expression, [this](int variable) { effects_.escaping.push_back(variable); });
    }

    void assign(NodePtr target) {
        target = ast::withoutParentheses(target);
        if (isElementAccess(names_, target)) {
            effects_.storesElements = true;
            return;
        }
        bool local = false;
        forEachRoot(target, [&](int variable) {
            effects_.assigned.push_back(variable);
            local = true;
        });
        if (!local || !ast::isSimple(target)) effects_.reachesOutside = true;
    }

    /// The variables that an lvalue may lie in.
    template <class Action>
    void forEachRoot(NodePtr expression, const Action& action) {
        if (!expression) return;
        if (expression->is<ast::Identifier>()) {
            if (const int variable = names_.find(expression); variable >= 0) action(variable);
            return;
        }
        if (expression->is<ast::Lambda>() || expression->is<ast::Arguments>()) return;
        if (ast::inquiryOf(expression)) return;  // a value of its own
        if (expression->is<ast::Subscript>())
            return forEachRoot(expression->child(ast::Subscript::base), action);
        for (const NodePtr child : expression->children()) forEachRoot(child, action);
    }

    const Names& names_;
    StepEffects& effects_;
};

/// A lambda is only made; what its captures are initialized by is evaluated.
class EffectWalker : public ast::StaticEvaluationVisitor<EffectWalker> {
public:
    EffectWalker(const Names& names, StepEffects& effects) : names_(names), effects_(effects) {}

    void visit(NodePtr node) {
        if (!node) return;
        StaticEvaluationVisitor::visit(node);
        if (hasOwnEffects(node->kind())) addOwnEffects(names_, node, effects_);
    }
    void visitLambda(NodePtr node) {
        for (const NodePtr capture : node->child(ast::Lambda::captures)->children())
            if (ast::is<ast::ValueCapture>(capture))
                visit(capture->child(ast::ValueCapture::initializer));
    }
    void visitClass(NodePtr) {}
    void visitFunctionDefinition(NodePtr) {}

private:
    const Names& names_;
    StepEffects& effects_;
};

}  // namespace

StepEffects effectsOfStep(const Names& names, NodePtr node) {
    StepEffects effects;
    EffectWalker(names, effects).visit(node);
    return effects;
}

void addOwnEffects(const Names& names, NodePtr node, StepEffects& effects) {
    OwnEffects(names, effects).of(node);
}

bool isDataCall(NodePtr node) {
    const ast::RuntimeMember* inquiry = ast::inquiryOf(node);
    return inquiry && inquiry->answers == ast::Answers::Elements;
}

bool isElementAccess(const Names& names, NodePtr node) {
    if (!ast::is<ast::Subscript>(node)) return false;
    const NodePtr base = node->child(ast::Subscript::base);
    if (isDataCall(base)) return true;
    const int variable = ast::is<ast::Identifier>(base) ? names.find(base) : -1;
    return variable >= 0 && names[variable].holdsElements;
}

}  // namespace hpcc::optimize
