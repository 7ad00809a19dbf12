// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call does to the variables that it names.
#include "ast/known_calls.hpp"
#include "ast/symbol.hpp"
#include "check/callee.hpp"
#include "check/facts.hpp"
#include "check/flow/assignment.hpp"
#include "check/flow/returning.hpp"
#include "check/flow/tracked.hpp"
#include "check/library.hpp"

#include <algorithm>

namespace hpcc::check::flow {
namespace {

bool takesByValue(const Type& function, std::size_t k) {
    if (k >= function.parameters.size()) return false;  // f(...), packs
    const Type& parameter = *function.parameters[k];
    return !parameter.isReference && parameter.kind != TypeKind::Unknown;
}

bool isRuntimeMember(NodePtr callee) {
    return ast::is<ast::Member>(callee) &&
           memberResult(typeOf(callee->child(ast::Member::base))->kind,
                        callee->child(ast::Member::name)->text());
}

// a.valid(), x.isNull() ask whether there is a value: the variable; null for other expressions.
NodePtr askedFor(NodePtr call, std::string_view question) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (!ast::is<ast::Member>(callee)) return nullptr;
    const bool asks = callee->child(ast::Member::name)->text() == question;
    return asks ? bare(callee->child(ast::Member::base)) : nullptr;
}

bool isStandardName(NodePtr callee) { return callee->text().starts_with("std::"); }

}  // namespace

void Assignment::call(NodePtr node) {
    if (context_.macros.mayBeMacro(node)) return macro(node);
    const NodePtr callee = bare(node->child(ast::Call::callee));
    const bool isQuestion =
        isFollowed(askedFor(node, "valid")) || isFollowed(askedFor(node, "isNull"));
    if (!isQuestion) evaluate(callee);
    arguments(node->child(ast::Call::arguments), candidates(node), unknownPassing(node));
    if (neverReturns(node)) state_ = State::never(node);
}

Assignment::Branches Assignment::test(NodePtr expression) {
    evaluate(expression);
    Branches branches = {state_, state_};
    const NodePtr valid = askedFor(expression, "valid"), null = askedFor(expression, "isNull");
    if (isFollowed(valid)) branches.whenTrue.assigned.set(slotOf(valid->symbol));
    if (isFollowed(null)) branches.whenFalse.assigned.set(slotOf(null->symbol));
    return branches;
}

// An unknown macro may assign what it names, and leave; assert only reads.
void Assignment::macro(NodePtr node) {
    if (node->child(ast::Call::callee)->text() == "assert") {
        const State before = state_;
        evaluateChildren(node->child(ast::Call::arguments));
        state_ = before;
        return state_.doubtLast();
    }
    assignNamesIn(node->child(ast::Call::arguments));
    mayLeave();
}

// The runtime takes handles, ranges and groups by value; a function out of sight may take a
// reference.
Assignment::Passing Assignment::unknownPassing(NodePtr node) const {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (isRuntimeMember(callee)) return Passing::Value;
    const Symbol* symbol = callee->symbol;
    if (!symbol || symbol->declaration || isStandardName(callee)) {
        return ast::isMathematical(callee) ? Passing::Value : Passing::Reference;
    }
    const bool isStandardHandler = symbol->name == "move" || symbol->name == "forward" ||
                                   symbol->name == "as_const" || symbol->name == "exchange";
    return isStandardHandler ? Passing::Reference : Passing::Value;
}

void Assignment::argument(NodePtr expression, Passing passing) {
    const NodePtr inner = bare(expression);
    if (passing == Passing::Reference && isFollowed(inner))
        assign(inner->symbol);
    else
        evaluate(expression);
}

void Assignment::arguments(NodePtr list, const std::vector<const Type*>& functions,
                           Passing otherwise) {
    const auto values = list->children();
    for (std::size_t k = 0; k < values.size(); ++k) {
        const bool isKnown = !functions.empty();
        const bool byValue = std::ranges::all_of(functions, [&](const Type* function) {
            return !acceptsCount(*function, values.size()) || takesByValue(*function, k);
        });
        argument(values[k], !isKnown ? otherwise : byValue ? Passing::Value : Passing::Reference);
    }
}

// = e, (a, b), {a, b} for a variable or value of that type.
void Assignment::initializer(NodePtr node, const Type* type) {
    if (!node) return;
    if (node->is<ast::EqualInitializer>()) return evaluate(node);
    const bool isPlain = isScalar(type) || isRange(type) || type->kind == TypeKind::Group ||
                         type->kind == TypeKind::Multiarray || type->kind == TypeKind::CArray;
    arguments(node, constructors(type), isPlain ? Passing::Value : Passing::Reference);
}

}  // namespace hpcc::check::flow
