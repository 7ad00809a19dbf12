// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/complex_values.hpp"

#include "analysis/harmless_calls.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/kernel_complex.hpp"

namespace hpcc::nests {

using ast::NodePtr;
using ast::Symbol;

bool isComplex(NodePtr e) {
    const ast::Type* const part = complexPart(e);
    return part && ast::isNumber(part);
}

bool areOfOneType(NodePtr a, NodePtr b) {
    const auto typeOf = [](NodePtr e) {
        const ast::Type* const part = complexPart(e);
        return part ? part : ast::isNumber(e->type) ? e->type : nullptr;
    };
    const ast::Type *const one = typeOf(a), *const other = typeOf(b);
    return !one || !other || one->spelled == other->spelled;
}

NodePtr listOfParts(NodePtr e) {
    if (ast::isAny<ast::BracedInitializer, ast::Arguments>(e)) return e;
    NodePtr list = nullptr;
    if (ast::is<ast::FunctionalCast>(e) && isComplex(e))
        list = e->child(ast::FunctionalCast::arguments);
    if (ast::is<ast::Call>(e)) {
        const Symbol* const symbol = e->child(ast::Call::callee)->symbol;
        const bool isType = symbol && (symbol->kind == ast::SymbolKind::Class ||
                                       symbol->kind == ast::SymbolKind::Alias);
        const bool isMade = isType && (complexPart(e->type) || complexPart(symbol->type));
        list = isMade ? e->child(ast::Call::arguments) : nullptr;
    }
    const bool isList =
        list && list->children().size() == 1 && ast::is<ast::BracedInitializer>(list->child(0));
    return isList ? list->child(0) : list;
}

bool isRealNumber(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::isNumber(e->type)) return true;
    if (ast::is<ast::Call>(e)) {
        const std::string_view name = complexCall(e).name;
        return !name.empty() && name != "conj";
    }
    if (ast::is<ast::Unary>(e)) return isRealNumber(e->child(ast::Unary::operand));
    return ast::is<ast::Binary>(e) && isRealNumber(e->child(ast::Binary::left)) &&
           isRealNumber(e->child(ast::Binary::right));
}

bool isQuietReal(NodePtr e) {
    return isRealNumber(e) && !ast::anywhere(e, [](NodePtr each) {
               return ast::changedOperand(each) || ast::is<ast::Lambda>(each) ||
                      (ast::is<ast::Call>(each) && complexCall(each).name.empty() &&
                       !analysis::computesByName(each));
           });
}

Symbol numberFunction() {
    Symbol symbol;
    symbol.name = "hpspmd::detail::realOfProduct";
    symbol.kind = ast::SymbolKind::Function;
    symbol.result = ast::RuntimeResult::SameNumber;
    return symbol;
}

std::string_view operatorIn(NodePtr e) {
    return ast::is<ast::Binary>(e)  ? e->child(ast::Binary::op)->text()
           : ast::is<ast::Unary>(e) ? e->child(ast::Unary::op)->text()
                                    : e->child(ast::Assign::op)->text();
}

NodePtr valueGiven(NodePtr initializer) {
    return ast::is<ast::EqualInitializer>(initializer)
               ? initializer->child(ast::EqualInitializer::value)
               : initializer;
}

}  // namespace hpcc::nests
