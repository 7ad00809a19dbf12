// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_function.hpp"

#include <algorithm>
#include <unordered_set>

#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_overloads.hpp"
#include "regions/scopes.hpp"

namespace hpcc::regions {

NodePtr bodyOf(NodePtr function) {
    return ast::is<ast::Lambda>(function) ? function->child(ast::Lambda::body)
                                          : function->child(ast::FunctionDefinition::body);
}

std::vector<NodePtr> formalsOf(NodePtr function) {
    const NodePtr list = ast::parametersOf(function);
    if (!list) return {};
    return {list->children().begin(), list->children().end()};
}

const Symbol* nameCalled(NodePtr callee) {
    if (callee->symbol) return callee->symbol;
    if (ast::isAny<ast::Member, ast::PointerMember>(callee)) return callee->child(1)->symbol;
    return nullptr;
}

bool isOperatorCall(NodePtr node) {
    if (!ast::is<ast::Assign>(node) || !node->symbol || node->symbol->previous) return false;
    const NodePtr object = ast::withoutParentheses(node->child(ast::Assign::target)),
                  function = node->symbol->declaration;
    return ast::isAny<ast::Identifier, ast::Member>(object) && isPath(object) &&
           analysis::isPlainValue(object->type) && object->type->arguments.empty() &&
           ast::is<ast::FunctionDefinition>(function) && formalsOf(function).size() == 1 &&
           analysis::onlyChangesObject(function);
}

std::span<const NodePtr> argumentsOf(NodePtr call) {
    if (ast::is<ast::Assign>(call)) return call->children().subspan(ast::Assign::value, 1);
    return call->child(ast::Call::arguments)->children();
}

namespace {

constexpr std::size_t longestBody = 4000;
constexpr int deepestCalls = 12;

}  // namespace

NodePtr functionOf(NodePtr call) {
    if (isOperatorCall(call)) return call->symbol->declaration;
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    if (ast::is<ast::Lambda>(callee)) return callee;
    const Symbol* const symbol = nameCalled(callee);
    if (const NodePtr lambda = symbol ? analysis::lambdaOf(symbol) : nullptr) return lambda;
    if (analysis::calledObject(callee)) {
        const NodePtr definition = callee->type->called->declaration;
        return ast::is<ast::FunctionDefinition>(definition) ? definition : nullptr;
    }
    return overloadOf(call).function;
}

namespace {

// a of `a`, `a.b[k]`; null of others
NodePtr objectOf(NodePtr place) {
    place = ast::withoutParentheses(place);
    while (ast::isAny<ast::Member, ast::Subscript>(place))
        place = ast::withoutParentheses(place->child(0));
    return ast::is<ast::Identifier>(place) ? place : nullptr;
}

bool changesOnlyOwn(NodePtr function, const std::unordered_set<std::string_view>& own) {
    return !ast::anywhere(bodyOf(function), [&](NodePtr each) {
        if (ast::isAny<ast::New, ast::NewMultiarray, ast::Delete, ast::Throw, ast::OpaqueExpression,
                       ast::OpaqueStatement, ast::MacroStatement>(each))
            return true;
        const NodePtr target = ast::changedOperand(each);
        if (!target) return false;
        const NodePtr root = objectOf(target);
        return !root || !own.contains(root->text());
    });
}

// `mayChangeGiven`: what it gets by reference, too. `table`: elements of this name as well.
bool computes(NodePtr function, int depth, bool mayChangeGiven = false,
              std::string_view table = "") {
    if (depth > deepestCalls) return false;
    std::unordered_set<std::string_view> own{table};
    const auto add = [&](NodePtr name, bool mayRefer) {
        const ast::Type* type = name->symbol ? name->symbol->type : nullptr;
        if (type && (mayRefer || !type->isReference) && type->kind != ast::TypeKind::Pointer &&
            type->kind != ast::TypeKind::Multiarray)
            own.insert(name->text());
    };
    const ast::Effects effects = ast::effectsOf(bodyOf(function));
    for (const NodePtr each : formalsOf(function))
        for (const NodePtr name : namesDeclared(each)) add(name, mayChangeGiven);
    ast::anywhere(bodyOf(function), [&](NodePtr each) {
        if (ast::isAny<ast::InitDeclarator, ast::Parameter, ast::ConditionDeclaration>(each))
            for (const NodePtr name : namesDeclared(each)) add(name, false);
        if (ast::is<ast::RangeFor>(each)) {
            const NodePtr root = objectOf(each->child(ast::RangeFor::range));
            const bool isOwn = root && own.contains(root->text());
            for (const NodePtr name : namesDeclared(each)) add(name, isOwn);
        }
        return false;
    });
    return changesOnlyOwn(function, own) &&
           std::ranges::all_of(effects.calls, [depth](NodePtr call) {
               const Symbol* const name = call->child(ast::Call::callee)->symbol;
               const bool isConversion = name && name->kind == ast::SymbolKind::TemplateParameter;
               if (isConversion || analysis::isHarmlessCall(call)) return true;
               const NodePtr called = functionOf(call);
               return called && computes(called, depth + 1);
           });
}

bool reaches(NodePtr function, NodePtr wanted, int depth) {
    if (depth > deepestCalls) return true;
    return ast::anywhere(bodyOf(function), [&](NodePtr each) {
        const NodePtr called = ast::is<ast::Call>(each) ? functionOf(each) : nullptr;
        return called && (called == wanted || reaches(called, wanted, depth + 1));
    });
}

// The statements that C++ would not let stand in a nest, or that mean something else there.
std::string statementsInTheWay(NodePtr function, bool mayHoldNests) {
    const NodePtr body = bodyOf(function);
    if (!ast::is<ast::Compound>(body)) return "its body is a `try`";
    const std::string_view text = body->text();
    if (text.size() > longestBody) return "it is too long";
    if (ast::holdsDirective(text)) return "lines of the preprocessor stand in it";
    std::string reason;
    ast::anywhere(body, [&](NodePtr each) {
        if (ast::isAny<ast::Goto, ast::Label>(each)) reason = "it has jumps";
        if (ast::isAny<ast::Try, ast::Class, ast::OpaqueStatement, ast::OpaqueExpression,
                       ast::MacroStatement, ast::On>(each) ||
            (!mayHoldNests && ast::isAny<ast::At, ast::Overall>(each)))
            reason = "it holds more than plain statements";
        if (ast::isAny<ast::DecltypeType, ast::Sizeof, ast::Typeid, ast::Noexcept>(each))
            reason = "it asks for types";
        if (ast::is<ast::Specifier>(each) &&
            (each->text() == "static" || each->text() == "thread_local"))
            reason = "it has a static variable";
        if (ast::is<ast::Lambda>(each) &&
            std::ranges::any_of(each->child(ast::Lambda::captures)->children(), [](NodePtr what) {
                return !ast::is<ast::DefaultCapture>(what) || what->text() != "&";
            }))
            reason = "a lambda in it captures values";
        if (ast::is<ast::InitDeclarator>(each)) {
            for (const NodePtr name : namesDeclared(each)) {
                const ast::Type* type = name->symbol ? name->symbol->type : nullptr;
                const bool isLambda = name->symbol && analysis::lambdaOf(name->symbol) != nullptr;
                const bool isHandle =
                    !mayHoldNests && ast::isHandleType(type) && type->kind != ast::TypeKind::Index;
                if (isHandle || (type && type->kind == ast::TypeKind::Class && !isLambda &&
                                 !type->isReference && !analysis::isPlainValue(type)))
                    reason =
                        "it has a variable '" + std::string(name->text()) + "' that is no number";
            }
        }
        return !reason.empty();
    });
    return reason;
}

// Of a lambda: what it has captured is what the names mean when it is called.
std::string capturesInTheWay(NodePtr lambda) {
    const auto captures = lambda->child(ast::Lambda::captures)->children();
    if (ast::holdsWord(lambda->child(ast::Lambda::qualifiers), "mutable")) return "it is mutable";
    bool copies = false;
    for (const NodePtr each : captures) {
        if (ast::isAny<ast::ValueCapture, ast::ReferenceCapture>(each) && each->child(1))
            return "it captures a value of its own";
        copies |= ast::is<ast::ValueCapture>(each) || each->text() == "=";
    }
    if (!copies) return "";
    std::string reason;
    ast::anywhere(lambda->child(ast::Lambda::body), [&](NodePtr each) {
        const Symbol* symbol = ast::is<ast::Identifier>(each) ? each->symbol : nullptr;
        const bool isVariable = symbol && (symbol->kind == ast::SymbolKind::Variable ||
                                           symbol->kind == ast::SymbolKind::Parameter);
        const bool isOwn =
            symbol && symbol->declaration && lambda->span().contains(symbol->declaration->span());
        if (isVariable && !isOwn && symbol->isReassigned)
            reason = "it captures '" + symbol->name + "' as it was";
        else if (isVariable && !isOwn && !analysis::isCopiedAsItIs(symbol->type))
            reason = "it captures a copy of '" + symbol->name + "'";
        return !reason.empty();
    });
    return reason;
}

// Of a member: no other class has one that is called instead.
bool mayBeOverridden(NodePtr function) {
    return ast::isVirtual(function->child(ast::FunctionDefinition::specifiers),
                          function->child(ast::FunctionDefinition::declarator));
}

}  // namespace

bool onlyComputes(NodePtr function) { return computes(function, 0); }

bool onlyChangesGiven(NodePtr function) { return computes(function, 0, true); }

bool onlyChangesTable(NodePtr function) {
    const NodePtr body = bodyOf(function);
    const NodePtr statement =
        ast::is<ast::Compound>(body) && body->children().size() == 1 ? body->child(0) : nullptr;
    if (!ast::is<ast::ExpressionStatement>(statement)) return false;
    const NodePtr element = ast::withoutParentheses(ast::changedOperand(
        ast::withoutParentheses(statement->child(ast::ExpressionStatement::expression))));
    const NodePtr table =
        ast::is<ast::Subscript>(element) ? element->child(ast::Subscript::base) : nullptr;
    return ast::is<ast::Identifier>(table) && table->symbol &&
           table->symbol->kind == ast::SymbolKind::Field &&
           analysis::isContainerOfNumbers(table->symbol->type) &&
           !table->symbol->type->isReference && computes(function, 0, false, table->text());
}

bool callsItself(NodePtr function) { return reaches(function, function, 0); }

std::string inTheWay(NodePtr function, bool mayHoldNests) {
    std::string reason = statementsInTheWay(function, mayHoldNests);
    if (reason.empty() && ast::is<ast::Lambda>(function)) reason = capturesInTheWay(function);
    if (reason.empty() && callsItself(function)) reason = "it calls itself";
    if (reason.empty() && !ast::is<ast::Lambda>(function) && mayBeOverridden(function))
        reason = "another class may override it";
    return reason;
}

}  // namespace hpcc::regions
