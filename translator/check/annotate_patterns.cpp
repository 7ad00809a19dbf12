// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generic functions of patterns take.
#include "analysis/constant.hpp"
#include "ast/search.hpp"
#include "check/annotator.hpp"

#include <optional>

namespace hpcc::check {
namespace {

// Of a multiarray or container; null if it is not known.
const Type* elementOf(NodePtr array) {
    const Type& type = *typeOf(array);
    const bool isContainer = ast::isStandardSequence(&type);
    const Type* const element = isContainer ? type.arguments.front() : type.element;
    const bool isNumber = element && !element->isDependent &&
                          (element->kind == TypeKind::Floating ||
                           (element->kind == TypeKind::Integer && element->number.bits > 0));
    return isNumber ? element : nullptr;
}

// f of `map(f)`; null if it is another expression.
NodePtr functionOfMap(NodePtr call) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const Symbol* const callee = call->child(ast::Call::callee)->symbol;
    const auto arguments = call->child(ast::Call::arguments)->children();
    const bool isMap = callee && callee->kind == SymbolKind::Function && !callee->declaration &&
                       callee->name == "map" && arguments.size() == 1;
    return isMap && ast::isAny<ast::Lambda, ast::Identifier>(arguments[0]) ? arguments[0] : nullptr;
}

}  // namespace

// `map([](auto x) { .. }).into(b, a)`, `map(..)(a)` and `power(a)` of a variable that is a map:
// notes in the type of its function what instance takes elements of a. None if several are applied.
void Annotator::applyPattern(NodePtr call) {
    NodePtr pattern = analysis::bare(call->child(ast::Call::callee));
    auto arrays = call->child(ast::Call::arguments)->children();
    if (ast::is<ast::Member>(pattern)) {
        if (pattern->child(ast::Member::name)->text() != "into" || arrays.empty()) return;
        pattern = analysis::bare(pattern->child(ast::Member::base));
        arrays = arrays.subspan(1);
    }
    if (ast::is<ast::Identifier>(pattern) && pattern->symbol)
        pattern = analysis::singleInitializer(pattern->symbol->initializer);
    const NodePtr function = functionOfMap(pattern);
    if (!function) return;
    const NodePtr lambda = ast::is<ast::Lambda>(function) ? function
                           : function->symbol             ? lambdaOf(*function->symbol)
                                                          : nullptr;
    if (!lambda) return;
    std::vector<const Type*> types;
    for (const NodePtr each : arrays) {
        const Type* const element = elementOf(each);
        if (!element) return;
        types.push_back(valueOf(arena(), element));
    }
    const Symbol* const one = instanceOf(lambda, types);
    if (!one) return;
    const auto [known, isNew] = applied_.emplace(function, one);
    if (isNew)
        function->type = typeOfCalled(*one);
    else if (known->second != one)
        function->type = lambdas_.at(lambda).type;
}

}  // namespace hpcc::check
