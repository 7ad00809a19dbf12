// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/step_effects.hpp"

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/static_visitor.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {
namespace {

bool isDataCall(NodePtr node) {
    const ast::RuntimeMember* inquiry = ast::inquiryOf(node);
    return inquiry && inquiry->answers == ast::Answers::Elements;
}

class EffectWalker : public ast::StaticEvaluationVisitor<EffectWalker> {
public:
    EffectWalker(const Names& names, StepEffects& effects) : names_(names), effects_(effects) {}

    void visitAssign(NodePtr node) {
        assign(node->child(ast::Assign::target));
        visitChildren(node);
    }
    void visitPostfix(NodePtr node) {
        assign(node->child(ast::Postfix::operand));
        visitChildren(node);
    }
    void visitUnary(NodePtr node) {
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") assign(node->child(ast::Unary::operand));
        if (op == "&") escape(node->child(ast::Unary::operand));
        if (op.starts_with("co_")) effects_.reachesOutside = effects_.callsUnknown = true;
        visitChildren(node);
    }
    void visitBinary(NodePtr node) {
        const NodePtr left = node->child(ast::Binary::left);
        const bool number = left->type && left->type->kind == ast::TypeKind::Integer;
        const std::string_view op = number ? "" : node->child(ast::Binary::op)->text();
        if (op == ">>" || op == "<<") {  // a stream
            if (op == ">>") assign(node->child(ast::Binary::right));
            effects_.reachesOutside = effects_.callsUnknown = true;
        }
        visit(left);
        visit(node->child(ast::Binary::right));
    }
    void visitCall(NodePtr node) {
        const NodePtr callee = node->child(ast::Call::callee);
        if (!ast::inquiryOf(node) && !ast::isMathematicalCall(node)) call(node, callee);
        visitChildren(node);
    }
    void visitNew(NodePtr node) {
        passAll(node->child(ast::New::initializer));
        effects_.reachesOutside = effects_.callsUnknown = true;
        visitChildren(node);
    }
    void visitDelete(NodePtr node) {
        effects_.reachesOutside = effects_.callsUnknown = true;
        visitChildren(node);
    }
    void visitThrow(NodePtr node) {
        effects_.reachesOutside = true;
        visitChildren(node);
    }
    void visitFunctionalCast(NodePtr node) {
        if (!node->child(ast::FunctionalCast::type)->is<ast::BuiltinType>() && !isValueType(node)) {
            passAll(node->child(ast::FunctionalCast::arguments));
            effects_.reachesOutside = effects_.callsUnknown = true;
        }
        visitChildren(node);
    }
    void visitInitDeclarator(NodePtr node) { initialized(node, ast::InitDeclarator::initializer); }
    void visitConditionDeclaration(NodePtr node) {
        initialized(node, ast::ConditionDeclaration::initializer);
    }
    /// What the variable of a loop is bound to.
    void bind(NodePtr node) {
        const int variable = names_.declaredBy(node);
        if (variable < 0 || names_[variable].isReference) escape(node->child(ast::RangeFor::range));
        if (!ast::is<ast::Call>(node->child(ast::RangeFor::range)))
            effects_.reachesOutside |= !isHandleType(node->child(ast::RangeFor::range)->type);
    }
    void visitLambda(NodePtr node) {
        for (const NodePtr capture : node->child(ast::Lambda::captures)->children()) {
            if (ast::is<ast::ReferenceCapture>(capture) &&
                capture->child(ast::ReferenceCapture::initializer))
                escape(capture->child(ast::ReferenceCapture::initializer));
            else if (ast::is<ast::ValueCapture>(capture))
                visit(capture->child(ast::ValueCapture::initializer));
        }
    }
    void visitClass(NodePtr) {}
    void visitFunctionDefinition(NodePtr) {}

private:
    static bool isValueType(NodePtr node) {
        const ast::Type* type = node->type;
        return type &&
               (type->kind == ast::TypeKind::Integer || type->kind == ast::TypeKind::Floating ||
                type->kind == ast::TypeKind::Bool || isHandleType(type));
    }

    void call(NodePtr node, NodePtr callee) {
        const NodePtr arguments = node->child(ast::Call::arguments);
        // Checks are questions that may throw; the other one is a conversion.
        const bool isLibrary = ast::isLibraryName(callee);
        if (isLibrary && callee->text().starts_with("hpspmd::detail::")) return;
        if (callee->text() == "hpspmd::Index") return;
        effects_.reachesOutside = effects_.callsUnknown = true;
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

    void initialized(NodePtr node, uint32_t slot) {
        const NodePtr initializer = node->child(slot);
        const int variable = names_.declaredBy(node);
        if (initializer && (variable < 0 || names_[variable].isReference)) escape(initializer);
        const bool constructor =
            ast::is<ast::Arguments>(initializer) || ast::is<ast::BracedInitializer>(initializer);
        if (constructor && variable >= 0 && !isKnownClass(names_[variable])) {
            passAll(initializer);
            effects_.reachesOutside = effects_.callsUnknown = true;
        }
        visit(initializer);
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
        if (isElementAccess(names_, ast::withoutParentheses(expression))) return;
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

/// Walks the statements of a body.
class StepFinder : public ast::StaticEvaluationVisitor<StepFinder> {
public:
    using Place = std::function<StepEffects&(NodePtr step)>;
    StepFinder(const Names& names, const Place& effectsOf) : names_(names), effectsOf_(effectsOf) {}

    void visit(NodePtr node) {
        if (ast::is<ast::Comma>(node)) {
            visit(node->child(ast::Comma::left));
            visit(node->child(ast::Comma::right));
        } else if (ast::isExpression(node) || ast::is<ast::InitDeclarator>(node) ||
                   ast::is<ast::ConditionDeclaration>(node)) {
            EffectWalker(names_, effectsOf_(node)).visit(node);
        } else {
            StaticEvaluationVisitor::visit(node);
        }
    }
    void visitRangeFor(NodePtr node) {
        EffectWalker(names_, effectsOf_(node)).bind(node);
        visitChildren(node);
    }
    void visitClass(NodePtr) {}
    void visitFunctionDefinition(NodePtr) {}

private:
    const Names& names_;
    const Place& effectsOf_;
};

}  // namespace

StepEffects effectsOfStep(const Names& names, NodePtr node) {
    StepEffects effects;
    EffectWalker(names, effects).visit(node);
    return effects;
}

void forEachStep(const Names& names, NodePtr body,
                 const std::function<StepEffects&(NodePtr step)>& effectsOf) {
    StepFinder(names, effectsOf).visit(body);
}

bool isElementAccess(const Names& names, NodePtr node) {
    if (!ast::is<ast::Subscript>(node)) return false;
    const NodePtr base = node->child(ast::Subscript::base);
    if (isDataCall(base)) return true;
    const int variable = ast::is<ast::Identifier>(base) ? names.find(base) : -1;
    const NodePtr initializer = variable < 0 ? nullptr : names[variable].initializer;
    return ast::is<ast::EqualInitializer>(initializer) &&
           isDataCall(initializer->child(ast::EqualInitializer::value));
}

}  // namespace hpcc::optimize
