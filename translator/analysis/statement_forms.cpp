// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/statement_forms.hpp"

#include "ast/search.hpp"

namespace hpcc::analysis {

using ast::Kind;

void StatementForms::dispatch(NodePtr node) {
    switch (node->kind()) {
    case Kind::Compound:
    case Kind::Sequence:
        return statements(node);
    case Kind::ExpressionStatement:
        return expressionStatement(node->child(ast::ExpressionStatement::expression));
    case Kind::Declaration:
        if (const NodePtr declarators = node->child(ast::Declaration::declarators))
            for (NodePtr each : declarators->children()) declare(node, each);
        return;
    case Kind::Attributed:
        return dispatch(node->child(ast::Attributed::declaration));
    case Kind::If:
        return branch(node);
    case Kind::While:
        return whileLoop(node);
    case Kind::DoWhile:
        return doLoop(node);
    case Kind::For:
        return forLoop(node);
    case Kind::RangeFor:
        return rangeLoop(node);
    case Kind::MacroStatement:
        return macroStatement(node);
    case Kind::On:
        return on(node);
    case Kind::At:
        return at(node);
    case Kind::Overall:
        return overall(node);
    case Kind::Switch:
        return switchStatement(node);
    case Kind::Case:
    case Kind::Default:
        return caseLabel(node);
    case Kind::Label:
        return label(node);
    case Kind::Return:
    case Kind::Break:
    case Kind::Continue:
    case Kind::Goto:
        return jump(node);
    case Kind::Try:
        return tryStatement(node);
    case Kind::OpaqueStatement:
    case Kind::OpaqueDeclaration:
        return opaqueStatement(node);
    default:
        return;
    }
}

bool isMadeOfParts(NodePtr node) {
    return ast::isAny<
        ast::Compound, ast::ExpressionStatement, ast::EmptyStatement, ast::If, ast::Switch,
        ast::Case, ast::Default, ast::For, ast::While, ast::DoWhile, ast::Return, ast::Break,
        ast::Continue, ast::InitDeclarators, ast::InitDeclarator, ast::EqualInitializer,
        ast::Specifiers, ast::SpecifierList, ast::Specifier, ast::BuiltinType, ast::AutoType,
        ast::TypeName, ast::QualifiedName, ast::NumberLiteral, ast::CharacterLiteral,
        ast::KeywordLiteral, ast::Parenthesized, ast::Conditional, ast::Operator, ast::Arguments,
        ast::Cast, ast::NamedCast, ast::ArrayDeclarator, ast::BracedInitializer>(node);
}

bool mayLeave(NodePtr node, bool inLoop) {
    if (!node || node->is<ast::Lambda>()) return false;
    if (ast::isAny<ast::Continue, ast::Break>(node)) return !inLoop;
    if (ast::isAny<ast::Return, ast::Goto, ast::OpaqueStatement>(node)) return true;
    inLoop |= ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor, ast::Overall>(node);
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return mayLeave(child, inLoop); });
}

}  // namespace hpcc::analysis
