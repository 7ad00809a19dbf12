// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/in_place_of.hpp"

#include <algorithm>

#include "analysis/declared_writes.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// True if the expression is the variable or a part of it, or might be.
bool isOf(NodePtr e, const ast::Symbol* variable) {
    e = ast::withoutParentheses(e);
    if (!e) return false;
    if (ast::is<ast::Identifier>(e)) return e->symbol == variable;
    if (ast::isAny<ast::Member, ast::Subscript>(e)) return isOf(e->child(0), variable);
    const bool isOneOf = ast::isAny<ast::Conditional, ast::Comma, ast::Cast, ast::NamedCast,
                                    ast::Call, ast::Arguments, ast::EqualInitializer,
                                    ast::BracedInitializer, ast::FunctionalCast>(e);
    return isOneOf &&
           std::ranges::any_of(e->children(), [&](NodePtr part) { return isOf(part, variable); });
}

bool isGivenBy(NodePtr call, const ast::Symbol* variable) {
    if (analysis::isHarmlessForNumbers(call) || ast::asksContainer(call)) return false;
    const NodePtr callee = call->child(ast::Call::callee);
    if (ast::is<ast::Member>(callee) && isOf(callee->child(0), variable)) return true;
    const auto arguments = call->child(ast::Call::arguments)->children();
    for (size_t k = 0; k < arguments.size(); ++k)
        if (isOf(arguments[k], variable) && ast::mayAssign(callee, k)) return true;
    return false;
}

}  // namespace

bool givesAnotherName(NodePtr node, const ast::Symbol* variable) {
    switch (node->kind()) {
    case ast::Kind::Unary:
        return node->child(ast::Unary::op)->text() == "&" &&
               isOf(node->child(ast::Unary::operand), variable);
    case ast::Kind::ReferenceCapture:
        return isOf(node->child(ast::ReferenceCapture::name), variable);
    case ast::Kind::Call:
        return isGivenBy(node, variable);
    case ast::Kind::RangeFor:
        return isOf(node->child(ast::RangeFor::range), variable) &&
               analysis::mayChangeThrough(node->child(ast::RangeFor::declarator), nullptr);
    case ast::Kind::InitDeclarator: {
        const NodePtr declarator = node->child(ast::InitDeclarator::declarator);
        const NodePtr name = ast::declaredName(declarator);
        const ast::Type* const type = name && name->symbol ? name->symbol->type : nullptr;
        const bool isCopy = ast::is<ast::Identifier>(declarator) && analysis::isPlainValue(type) &&
                            !type->isReference;
        return !isCopy && isOf(node->child(ast::InitDeclarator::initializer), variable) &&
               (analysis::mayChangeThrough(declarator, type) || !analysis::isPlainValue(type));
    }
    default:
        return false;
    }
}

NodePtr memberOf(Context& context, NodePtr object, const ast::Symbol& field, NodePtr place) {
    const NodePtr made = context.expression("$e." + field.name, {{"$e", object}}, place);
    const NodePtr name = made->child(ast::Member::name);
    made->type = name->type = field.type;
    name->symbol = &field;
    return made;
}

bool asksForMembers(NodePtr node, const ast::Symbol* variable, bool isCopy) {
    if (!node) return true;
    const auto isIt = [variable](NodePtr e) {
        return ast::is<ast::Identifier>(e) && e->symbol == variable;
    };
    if (ast::isAny<ast::Lambda, ast::DecltypeType, ast::Sizeof, ast::OpaqueStatement,
                   ast::OpaqueExpression, ast::OpaqueDeclaration>(node))
        return false;
    if (isCopy && ast::is<ast::Call>(node) && !analysis::isHarmlessCall(node)) return false;
    if (ast::is<ast::Identifier>(node)) return !isIt(node);
    if (ast::is<ast::Member>(node) && ast::is<ast::Identifier>(node->child(0)))
        return !isIt(node->child(0)) || analysis::isPlainValue(node->type);
    if (variable && ast::is<ast::Subscript>(node) && isIt(node->child(0)))
        return analysis::isPlainValue(node->type) &&
               asksForMembers(node->child(ast::Subscript::subscripts), variable, isCopy);
    if (variable && ast::is<ast::InitDeclarator>(node) &&
        ast::isAny<ast::Identifier, ast::StructuredBinding>(
            node->child(ast::InitDeclarator::declarator)) &&
        isIt(analysis::singleInitializer(node->child(ast::InitDeclarator::initializer))))
        return true;
    return std::ranges::all_of(
        node->children(), [&](NodePtr child) { return asksForMembers(child, variable, isCopy); });
}

}  // namespace hpcc::nests
