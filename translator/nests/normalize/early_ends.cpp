// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/early_ends.hpp"

#include <optional>
#include <string>
#include <vector>

#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What the counter must not pass; if it may reach it.
struct End {
    NodePtr number;
    bool isReached;
};

/// Of `if (j > e) break;` or `if (e <= j) break;`
std::optional<End> endIn(NodePtr statement, std::string_view counter) {
    if (!ast::is<ast::If>(statement) || statement->child(ast::If::initializer) ||
        statement->child(ast::If::otherwise) ||
        !ast::is<ast::Break>(soleStatement(statement->child(ast::If::then))))
        return std::nullopt;
    const NodePtr condition = ast::withoutParentheses(statement->child(ast::If::condition));
    if (!ast::is<ast::Binary>(condition)) return std::nullopt;
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const bool isLeft = isNamed(left, counter);
    const NodePtr number = isLeft ? right : left;
    if ((!isLeft && !isNamed(right, counter)) || mentions(number, counter)) return std::nullopt;
    if (op == (isLeft ? ">" : "<")) return End{number, true};
    if (op == (isLeft ? ">=" : "<=")) return End{number, false};
    return std::nullopt;
}

/// Of one type, an integer with a sign, so that std::min takes both; asked where it perhaps was
/// not.
bool haveSameType(NodePtr a, NodePtr b) {
    const auto nameOf = [](NodePtr e) -> std::string {
        if (ast::withoutParentheses(e)->is<ast::GlobalIndex>()) return "Index";
        if (!e->type || !analysis::numberOf(e).isSigned) return "";
        const std::string& name = e->type->spelled;
        return name == "hpspmd::Index" ? "Index" : name;
    };
    return !nameOf(a).empty() && nameOf(a) == nameOf(b) && ast::isPure(a) && ast::isPure(b) &&
           ast::isSafe(a) && ast::isSafe(b);
}

ast::Symbol smallerOfTwo() {
    ast::Symbol symbol;
    symbol.name = "std::min";
    symbol.kind = ast::SymbolKind::Function;
    symbol.result = ast::RuntimeResult::SameNumber;
    return symbol;
}

}  // namespace

NodePtr withoutEarlyEnd(Context& context, NodePtr loop) {
    const auto counting = analysis::countingLoop(loop);
    const NodePtr body = loop->child(ast::For::body);
    if (!counting || counting->step != 1 || !counting->isOwn || counting->endsByMeeting() ||
        !ast::is<ast::Compound>(body) || body->children().size() < 2)
        return loop;
    const auto parts = body->children();
    const auto end = endIn(parts.front(), counting->name->text());
    if (!end || !haveSameType(counting->bound, end->number)) return loop;
    const bool isReached = end->isReached || counting->includesBound();
    const auto operand = [&](NodePtr e, bool isLast) {
        const char* const schema = isReached && !isLast ? "$e - 1" : "$e";
        const NodePtr result =
            context.expression(schema, {{"$e", context.operand(ast::copy(context.arena, e))}}, e);
        result->type = e->type;
        return result;
    };
    const NodePtr least =
        context.expression("std::min($a, $b)",
                           {{"$a", operand(counting->bound, counting->includesBound())},
                            {"$b", operand(end->number, end->isReached)}},
                           end->number);
    least->type = counting->bound->type;
    least->child(ast::Call::callee)->symbol = context.arena.makeSymbol(smallerOfTwo());
    const NodePtr name = ast::copy(context.arena, counting->name);
    const NodePtr condition =
        context.expression(isReached ? "$k <= $end" : "$k < $end", {{"$k", name}, {"$end", least}},
                           loop->child(ast::For::condition));
    const std::vector<NodePtr> rest(parts.begin() + 1, parts.end());
    return ast::withChild(context.arena,
                          ast::withChild(context.arena, loop, ast::For::condition, condition),
                          ast::For::body, context.arena.rebuilt(body, body, rest));
}

}  // namespace hpcc::nests
