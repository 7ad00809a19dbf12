// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_nests.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"

namespace hpcc::regions {

using ast::NodePtr;

namespace {

constexpr int deepestCalls = 4;

bool isNest(NodePtr node) { return ast::isAny<ast::Overall, ast::OverallExpression>(node); }

bool names(NodePtr node, const Symbol* symbol) {
    return ast::anywhere(node, [symbol](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->symbol == symbol;
    });
}

// A lambda, or an object of a class of the program.
bool isCallable(NodePtr value) {
    value = ast::withoutParentheses(value);
    if (ast::is<ast::Lambda>(value)) return true;
    if (ast::is<ast::Identifier>(value) && value->symbol && analysis::lambdaOf(value->symbol))
        return true;
    const ast::Type* type = value->type;
    return type && type->kind == ast::TypeKind::Class && type->classSymbol &&
           ast::is<ast::Class>(type->classSymbol->declaration);
}

const Symbol* symbolOf(NodePtr parameter) {
    const NodePtr name = ast::is<ast::Parameter>(parameter)
                             ? ast::declaredName(parameter->child(ast::Parameter::declarator))
                             : nullptr;
    return name ? name->symbol : nullptr;
}

// It stands in a call of a nest of the function, or of one that it gives it to.
bool reachesNest(NodePtr function, const Symbol* given, int depth) {
    return ast::anywhere(bodyOf(function), [&](NodePtr each) {
        if (isNest(each))
            return ast::anywhere(each, [given](NodePtr inner) {
                return ast::is<ast::Call>(inner) && names(inner, given);
            });
        const NodePtr called =
            ast::is<ast::Call>(each) && depth < deepestCalls ? functionOf(each) : nullptr;
        if (!called) return false;
        const auto formals = formalsOf(called);
        const auto arguments = argumentsOf(each);
        for (std::size_t k = 0; k < std::min(formals.size(), arguments.size()); ++k) {
            const NodePtr value = ast::withoutParentheses(arguments[k]);
            const Symbol* const formal = symbolOf(formals[k]);
            const bool isIt = ast::is<ast::Identifier>(value) && value->symbol == given;
            if (isIt && formal && reachesNest(called, formal, depth + 1)) return true;
        }
        return false;
    });
}

// S of `f<Five>(a)`, where a nest calls S::point(a, i).
bool tellsClass(NodePtr function, NodePtr call) {
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    const Symbol* const name = nameCalled(callee);
    if (!name || !name->head || !ast::anywhere(callee, ast::is<ast::TemplateName>)) return false;
    const auto isQualifier = [&](NodePtr each) {
        const NodePtr called = ast::is<ast::Call>(each)
                                   ? ast::withoutParentheses(each->child(ast::Call::callee))
                                   : nullptr;
        const NodePtr qualifier = ast::is<ast::QualifiedName>(called)
                                      ? called->child(ast::QualifiedName::qualifier)
                                      : nullptr;
        return qualifier && qualifier->symbol &&
               qualifier->symbol->kind == ast::SymbolKind::TemplateParameter &&
               qualifier->symbol->head == name->head;
    };
    return ast::anywhere(bodyOf(function), [&](NodePtr each) {
        return isNest(each) && ast::anywhere(each, isQualifier);
    });
}

}  // namespace

bool tellsNests(NodePtr call) {
    const auto arguments = argumentsOf(call);
    const bool mayTell = std::ranges::any_of(arguments, isCallable) ||
                         ast::anywhere(call->child(ast::Call::callee), ast::is<ast::TemplateName>);
    const NodePtr function = mayTell ? functionOf(call) : nullptr;
    if (!function) return false;
    const auto formals = formalsOf(function);
    for (std::size_t k = 0; k < std::min(formals.size(), arguments.size()); ++k) {
        const Symbol* const formal = symbolOf(formals[k]);
        if (formal && isCallable(arguments[k]) && isDeduced(formals[k]) &&
            reachesNest(function, formal, 0))
            return true;
    }
    return tellsClass(function, call);
}

}  // namespace hpcc::regions
