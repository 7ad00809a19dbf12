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

/// `if (c) break;`
bool isEndOfLoop(NodePtr statement) {
    return ast::is<ast::If>(statement) && !statement->child(ast::If::initializer) &&
           !statement->child(ast::If::otherwise) &&
           !ast::is<ast::ConditionDeclaration>(statement->child(ast::If::condition)) &&
           ast::is<ast::Break>(soleStatement(statement->child(ast::If::then)));
}

/// Of `if (j > e) break;` or `if (e <= j) break;`
std::optional<End> endIn(NodePtr statement, std::string_view counter) {
    if (!isEndOfLoop(statement)) return std::nullopt;
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

/// A comparison of whole numbers that is true where this one is false; null of anything else.
NodePtr oppositeOf(Context& context, NodePtr e) {
    if (!analysis::isComparison(e)) return nullptr;
    const NodePtr left = e->child(ast::Binary::left), right = e->child(ast::Binary::right);
    if (analysis::numberOf(left).bits == 0 || analysis::numberOf(right).bits == 0) return nullptr;
    const std::string op(analysis::opposite(e->child(ast::Binary::op)->text()));
    return context.expression(
        "$a " + op + " $b",
        {{"$a", ast::copy(context.arena, left)}, {"$b", ast::copy(context.arena, right)}}, e);
}

/// True as long as a loop goes on that ends where `ends` is true.
NodePtr goesOn(Context& context, NodePtr ends) {
    const NodePtr e = ast::withoutParentheses(ends);
    if (analysis::isNegation(e)) return ast::withoutParentheses(e->child(ast::Unary::operand));
    if (const NodePtr other = oppositeOf(context, e)) return other;
    return context.expression("!$e", {{"$e", context.operand(ast::copy(context.arena, e))}}, e);
}

/// `(k) < (n)` and `!(k >= n)` are `k < n`.
NodePtr plain(Context& context, NodePtr condition) {
    NodePtr result = ast::withoutParentheses(condition);
    if (analysis::isNegation(result))
        result = oppositeOf(context, ast::withoutParentheses(result->child(ast::Unary::operand)));
    if (!result || !analysis::isComparison(result)) return condition;
    const auto strip = [&](auto slot) {
        const NodePtr operand = result->child(slot), bare = ast::withoutParentheses(operand);
        if (bare != operand &&
            (ast::is<ast::Identifier>(bare) || ast::is<ast::NumberLiteral>(bare)))
            result = ast::withChild(context.arena, result, slot, bare);
    };
    strip(ast::Binary::left);
    strip(ast::Binary::right);
    return result;
}

ast::Symbol smallerOfTwo() {
    ast::Symbol symbol;
    symbol.name = "std::min";
    symbol.kind = ast::SymbolKind::Function;
    symbol.result = ast::RuntimeResult::SameNumber;
    return symbol;
}

}  // namespace

NodePtr withConditionInHead(Context& context, NodePtr loop) {
    if (const NodePtr condition = loop->child(ast::For::condition)) {
        const NodePtr simple = plain(context, condition);
        return simple == condition
                   ? loop
                   : ast::withChild(context.arena, loop, ast::For::condition, simple);
    }
    const NodePtr body = loop->child(ast::For::body);
    if (!ast::is<ast::Compound>(body) || body->children().empty()) return loop;
    const auto parts = body->children();
    const NodePtr ends = parts.front();
    if (!isEndOfLoop(ends)) return loop;
    const NodePtr first = loop->child(ast::For::initializer), step = loop->child(ast::For::step);
    const NodePtr result =
        context.statement(step ? "for (; $c; $step) $body;" : "for (; $c;) $body;",
                          {{"$c", plain(context, goesOn(context, ends->child(ast::If::condition)))},
                           {"$step", step},
                           {"$body", context.arena.rebuilt(body, body, parts.subspan(1))}},
                          loop);
    return first && !ast::is<ast::EmptyStatement>(first) ? context.behind({first}, result, loop)
                                                         : result;
}

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
