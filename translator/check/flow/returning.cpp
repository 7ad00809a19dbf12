// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/returning.hpp"

#include "ast/symbol.hpp"
#include "check/callee.hpp"
#include "check/facts.hpp"

#include <algorithm>

namespace hpcc::check::flow {
namespace {

constexpr int mostCalls = 8;  // followed one into another

bool isStandardEnd(NodePtr name) {
    std::string_view text = name->text();
    if (text.starts_with("::")) text.remove_prefix(2);
    const bool isQualified = text.starts_with("std::");
    if (isQualified) text.remove_prefix(5);
    text = text.substr(0, text.find('<'));
    if (text == "__builtin_unreachable" || text == "__builtin_trap") return true;
    const bool isListed =
        isOneOf(text, {"exit", "abort", "terminate", "quick_exit", "_Exit", "rethrow_exception",
                       "longjmp", "unreachable", "throw_with_nested"});
    return isListed && (isQualified || !name->symbol || !name->symbol->declaration);
}

// Its declaration, back to the end of what stands before: "[[noreturn]] void fail".
bool isDeclaredNoreturn(const Symbol& function) {
    const NodePtr declaration = function.declaration;
    if (!declaration || !declaration->span().text) return false;
    constexpr std::size_t farthest = 200;
    const std::string_view content = declaration->span().text->content();
    const std::size_t at = declaration->span().begin;
    const std::size_t from = at > farthest ? at - farthest : 0;
    std::string_view before = content.substr(from, at - from);
    const auto end = before.find_last_of(";{}");
    if (end != before.npos) before.remove_prefix(end + 1);
    const std::string_view text = declaration->text();
    const std::string_view head = text.substr(0, std::min(text.find('('), farthest));
    const auto holds = [](std::string_view text) {
        return text.find("noreturn") != text.npos || text.find("NORETURN") != text.npos;
    };
    return holds(before) || holds(head);
}

bool returnsAtEnd(NodePtr call, int depth);

// Whether a body has an end that is plainly reached.
bool endsPlainly(NodePtr body, int depth) {
    if (!ast::is<ast::Compound>(body)) return false;
    if (body->children().empty()) return true;
    const NodePtr last = body->children().back();
    if (!last) return true;
    switch (last->kind()) {
    case ast::Kind::ExpressionStatement: {
        const NodePtr expression = bare(last->child(ast::ExpressionStatement::expression));
        if (ast::is<ast::Throw>(expression)) return false;
        return !ast::is<ast::Call>(expression) || returnsAtEnd(expression, depth);
    }
    case ast::Kind::While:
    case ast::Kind::DoWhile:
    case ast::Kind::For:
    case ast::Kind::OpaqueStatement:
    case ast::Kind::MacroStatement:
    case ast::Kind::Try:
    case ast::Kind::Goto:
        return false;
    default:
        return true;
    }
}

bool returnsAtEnd(NodePtr call, int depth) {
    if (neverReturns(call)) return false;
    const NodePtr name = calledName(bare(call->child(ast::Call::callee)));
    if (typeOf(call)->kind != TypeKind::Void && typeOf(call)->kind != TypeKind::Unknown)
        return true;  // it has a value to return
    const Symbol* symbol = name->symbol;
    if (name->text().starts_with("std::")) return true;
    if (!symbol || symbol->kind == ast::SymbolKind::Variable) return false;
    if (!symbol->declaration) return true;  // the runtime's
    if (symbol->previous || depth == 0 || !symbol->declaration->is<ast::FunctionDefinition>())
        return false;
    return endsPlainly(symbol->declaration->child(ast::FunctionDefinition::body), depth - 1);
}

}  // namespace

bool neverReturns(NodePtr call) {
    if (!call->is<ast::Call>()) return false;  // a constructor's: T x(e), new T(e)
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (calledName(callee) == callee && isStandardEnd(callee)) return true;
    const Symbol* symbol = calledName(callee)->symbol;
    if (!symbol || symbol->kind != ast::SymbolKind::Function) return false;
    for (; symbol; symbol = symbol->previous)  // a definition need not repeat the attribute
        if (isDeclaredNoreturn(*symbol)) return true;
    return false;
}

bool surelyReturns(NodePtr call) { return returnsAtEnd(call, mostCalls); }

}  // namespace hpcc::check::flow
