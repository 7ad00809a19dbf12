// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/macro_arguments.hpp"

#include "ast/print.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// A comma outside parentheses and quotes.
bool hasBareComma(std::string_view text) {
    int depth = 0;
    char quote = '\0';
    for (size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (quote != '\0') {
            if (c == '\\') ++k;
            if (c == quote) quote = '\0';
            continue;
        }
        if (c == '"' ||
            (c == '\'' && (k == 0 || !std::isalnum(static_cast<unsigned char>(text[k - 1])))))
            quote = c;
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ',' && depth == 0) return true;
    }
    return false;
}

}  // namespace

NodePtr protectArguments(Context& context, NodePtr original, NodePtr lowered) {
    const NodePtr callee = original->child(ast::Call::callee);
    if (!ast::is<ast::Identifier>(callee) || callee->symbol) return lowered;
    const NodePtr before = original->child(ast::Call::arguments);
    const NodePtr after = lowered->child(ast::Call::arguments);
    std::vector<NodePtr> arguments(after->children().begin(), after->children().end());
    for (size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k] == before->child(static_cast<uint32_t>(k))) continue;
        if (!ast::isExpression(arguments[k]) || !hasBareComma(ast::print(arguments[k]))) continue;
        arguments[k] = context.expression("($e)", {{"$e", arguments[k]}}, arguments[k]);
    }
    return ast::withChild(context.arena, lowered, ast::Call::arguments,
                          ast::rebuild(context.arena, after, arguments));
}

}  // namespace hpcc::lower
