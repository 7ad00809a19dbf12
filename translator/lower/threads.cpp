// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/threads.hpp"

#include "ast/print.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

std::string numberOf(NodePtr joined) {
    return ast::print(joined->child(ast::Call::arguments)->child(0));
}

/// `sum`, `std::tie(sum, most)`, `std::make_tuple(sum, most)`.
std::string all(const std::vector<NodePtr>& joined, const std::string& several) {
    if (joined.size() == 1) return numberOf(joined.front());
    std::string text;
    for (const NodePtr each : joined) text += (text.empty() ? "" : ", ") + numberOf(each);
    return several + "(" + text + ")";
}

}  // namespace

bool isMarkedForThreads(NodePtr statement) {
    // Of other macros the head is opaque.
    return ast::is<ast::MacroStatement>(statement) &&
           ast::is<ast::Call>(statement->child(ast::MacroStatement::head));
}

std::optional<ThreadMark> threadMarkOf(NodePtr statement) {
    if (!isMarkedForThreads(statement)) return std::nullopt;
    const auto parts =
        statement->child(ast::MacroStatement::head)->child(ast::Call::arguments)->children();
    return ThreadMark{parts.front(), {parts.begin() + 1, parts.end()}};
}

NodePtr inThreads(Context& context, const ThreadMark& mark, NodePtr share, NodePtr blocks,
                  NodePtr loop) {
    std::string parameters, results;
    for (const NodePtr each : mark.joined) parameters += ", auto " + numberOf(each);
    std::string schema =
        "hpspmd::detail::inThreads($work, [&](const hpspmd::detail::BlockShare "
        "&$share" +
        parameters + ") {\n    $loop;\n";
    if (!mark.joined.empty()) {
        schema = all(mark.joined, "std::tie") + " = " + schema;
        schema += "    return " + all(mark.joined, "std::make_tuple") + ";\n";
    }
    std::vector<NodePtr> values{blocks};
    values.insert(values.end(), mark.joined.begin(), mark.joined.end());
    return context.statement(
        schema + "}, $values);",
        {{"$work", mark.work}, {"$share", share}, {"$loop", loop}, {"$values", values}}, loop);
}

}  // namespace hpcc::lower
