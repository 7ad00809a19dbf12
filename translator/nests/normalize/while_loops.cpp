// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/while_loops.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/comments.hpp"
#include "ast/copyable.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/mentions.hpp"
#include "nests/normalize/repeatable.hpp"
#include "nests/written_out.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `int k = e;`, of one whole number; null if it declares something else.
NodePtr counterOf(NodePtr declaration) {
    if (!ast::is<ast::Declaration>(declaration)) return nullptr;
    const NodePtr specifiers = declaration->child(ast::Declaration::specifiers),
                  all = declaration->child(ast::Declaration::declarators);
    if (!all || all->children().size() != 1 || !ast::is<ast::Specifiers>(specifiers) ||
        specifiers->child(ast::Specifiers::before))
        return nullptr;
    const NodePtr name = all->child(0)->child(ast::InitDeclarator::declarator),
                  value = all->child(0)->child(ast::InitDeclarator::initializer);
    const bool isNumber = ast::is<ast::Identifier>(name) && name->symbol && name->symbol->type &&
                          name->symbol->type->kind == ast::TypeKind::Integer;
    return isNumber && ast::is<ast::EqualInitializer>(value) ? name : nullptr;
}

/// `e` of `int k = e;`
NodePtr valueOf(NodePtr declaration) {
    return declaration->child(ast::Declaration::declarators)
        ->child(0)
        ->child(ast::InitDeclarator::initializer)
        ->child(ast::EqualInitializer::value);
}

/// `k--`, `k += 2`, `k = k + 2`
bool moves(NodePtr statement, std::string_view counter) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return false;
    const NodePtr step = statement->child(ast::ExpressionStatement::expression);
    const NodePtr target = step ? ast::changedOperand(step) : nullptr;
    return ast::is<ast::Identifier>(target) && target->text() == counter &&
           ast::effectsOf(statement).calls.empty();
}

/// A jump to the end of the body would reach the step.
bool skipsStep(NodePtr node) {
    if (ast::isAny<ast::Continue, ast::Goto, ast::Label>(node)) return true;
    if (ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor, ast::Lambda>(node))
        return ast::anywhere(node,
                             [](NodePtr each) { return ast::isAny<ast::Goto, ast::Label>(each); });
    return std::ranges::any_of(node->children(),
                               [](NodePtr child) { return child && skipsStep(child); });
}

/// `k-- > 0` of the counter.
bool movesIn(NodePtr condition, std::string_view counter) {
    const ast::Effects effects = ast::effectsOf(condition);
    return effects.calls.empty() && effects.assigned.size() == 1 &&
           effects.assigned.contains(counter);
}

/// Declares numbers, from what calls and changes nothing, so that the declaration of the counter in
/// front of it may as well stand behind it.
bool mayStandInFront(NodePtr other, NodePtr declaration, std::string_view counter) {
    if (!ast::is<ast::Declaration>(other) || mentions(other, counter)) return false;
    const NodePtr all = other->child(ast::Declaration::declarators);
    const ast::Effects effects = ast::effectsOf(other);
    return all && effects.calls.empty() && effects.assigned.empty() &&
           std::ranges::all_of(all->children(),
                               [](NodePtr each) {
                                   const NodePtr name = ast::declaredName(
                                       each->child(ast::InitDeclarator::declarator));
                                   return name && name->symbol && ast::isNumber(name->symbol->type);
                               }) &&
           std::ranges::none_of(effects.declared,
                                [&](const auto& own) { return mentions(declaration, own); });
}

/// The loop that counts, in the place of the declaration and the `while`; null if it is another
/// one.
NodePtr counted(Context& context, NodePtr declaration, NodePtr loop,
                std::span<const NodePtr> rest) {
    const NodePtr name = counterOf(declaration);
    if (!name || !ast::is<ast::While>(loop)) return nullptr;
    const NodePtr condition = loop->child(ast::While::condition),
                  body = loop->child(ast::While::body);
    const std::string_view counter = name->text();
    const NodePtr value = valueOf(declaration);
    const std::string type = ast::print(declaration->child(ast::Declaration::specifiers));
    if (std::ranges::any_of(rest, [&](NodePtr each) { return mentions(each, counter); }))
        return nullptr;
    if (movesIn(condition, counter))
        return context.statement("for (" + type + " $k = $e; $c;) $body;",
                                 {{"$k", name}, {"$e", value}, {"$c", condition}, {"$body", body}},
                                 loop);
    if (ast::is<ast::ConditionDeclaration>(condition) || !ast::is<ast::Compound>(body) ||
        body->children().empty() || !moves(body->children().back(), counter) || skipsStep(body))
        return nullptr;
    const auto statements = body->children().first(body->children().size() - 1);
    const NodePtr step = body->children().back()->child(ast::ExpressionStatement::expression);
    for (const NodePtr each : statements) {
        const ast::Effects effects = ast::effectsOf(each);
        const bool isForStep = std::ranges::any_of(  // which stands outside of the body then
            effects.declared, [&](const auto& own) { return mentions(step, own); });
        if (effects.assigned.contains(counter) || effects.declared.contains(counter) || isForStep)
            return nullptr;
    }
    return context.statement("for (" + type + " $k = $e; $c; $s) $body;",
                             {{"$k", name},
                              {"$e", value},
                              {"$c", condition},
                              {"$s", step},
                              {"$body", context.arena.rebuilt(body, body, statements)}},
                             loop);
}

/// What a loop that asks at the end of its body does before, and asks there: `++k < n`.
struct AskingAtEnd {
    std::vector<NodePtr> statements = {};
    NodePtr question = nullptr;
    bool leaves = false;  // if that is true; else it goes on
};

/// `while (true)`, `for (;;)`
bool isEndless(NodePtr loop) {
    if (ast::is<ast::While>(loop)) {
        const NodePtr condition = ast::withoutParentheses(loop->child(ast::While::condition));
        return condition->text() == "true" || condition->text() == "1";
    }
    const NodePtr first = ast::is<ast::For>(loop) ? loop->child(ast::For::initializer) : nullptr;
    return ast::is<ast::For>(loop) && !loop->child(ast::For::condition) &&
           !loop->child(ast::For::step) && (!first || ast::is<ast::EmptyStatement>(first));
}

std::optional<AskingAtEnd> askingAtEnd(NodePtr loop) {
    const bool isDo = ast::is<ast::DoWhile>(loop);
    if (!isDo && !isEndless(loop)) return std::nullopt;
    const NodePtr body = isDo                      ? loop->child(ast::DoWhile::body)
                         : ast::is<ast::For>(loop) ? loop->child(ast::For::body)
                                                   : loop->child(ast::While::body);
    AskingAtEnd found;
    if (!ast::is<ast::Compound>(body)) {
        found.statements = {body};
    } else {
        found.statements.assign(body->children().begin(), body->children().end());
    }
    if (isDo) {
        found.question = loop->child(ast::DoWhile::condition);
        return found;
    }
    const NodePtr last = found.statements.empty() ? nullptr : found.statements.back();
    if (!ast::is<ast::If>(last) || last->child(ast::If::otherwise) ||
        last->child(ast::If::initializer))
        return std::nullopt;
    NodePtr then = last->child(ast::If::then);
    if (ast::is<ast::Compound>(then) && then->children().size() == 1) then = then->child(0);
    if (!ast::is<ast::Break>(then)) return std::nullopt;
    found.statements.pop_back();
    found.question = last->child(ast::If::condition);
    found.leaves = true;
    return found;
}

/// `++k`, `k += 1`, as the left side of the question or the last statement before it.
NodePtr takeStep(AskingAtEnd& asking, NodePtr left, std::string_view counter) {
    if (!ast::is<ast::Postfix>(left) && analysis::advance(left, counter) == 1) return left;
    if (left->text() != counter || asking.statements.empty() ||
        !moves(asking.statements.back(), counter))
        return nullptr;
    const NodePtr step = asking.statements.back()->child(ast::ExpressionStatement::expression);
    if (analysis::advance(step, counter) != 1) return nullptr;
    asking.statements.pop_back();
    return step;
}

/// The first iteration and the loop of those behind it; null if the loop is no such loop.
NodePtr countedAtEnd(Context& context, NodePtr declaration, NodePtr loop,
                     std::span<const NodePtr> rest) {
    constexpr int mostNodes = 150;  // of a body, which is written twice
    const NodePtr name = counterOf(declaration);
    std::optional<AskingAtEnd> asking = name ? askingAtEnd(loop) : std::nullopt;
    const NodePtr question = asking ? ast::withoutParentheses(asking->question) : nullptr;
    if (!ast::is<ast::Binary>(question)) return nullptr;
    const std::string_view counter = name->text();
    std::string_view op = analysis::operatorOf(question);
    if (asking->leaves) op = analysis::opposite(op);
    NodePtr left = question->child(ast::Binary::left), end = question->child(ast::Binary::right);
    if (mentions(end, counter)) {  // end > ++k
        std::swap(left, end);
        op = analysis::mirrored(op);
    }
    const NodePtr step = takeStep(*asking, ast::withoutParentheses(left), counter);
    const auto first = analysis::constantValue(valueOf(declaration));
    if (!step || first.value_or(-1) < 0 || (op != "<" && op != "<=" && op != "!=") ||
        mentions(end, counter) || !isRepeatable(end) ||
        std::ranges::any_of(rest, [&](NodePtr each) { return mentions(each, counter); }))
        return nullptr;
    for (const NodePtr each : asking->statements) {
        const ast::Effects effects = ast::effectsOf(each);
        const bool declaresAsked = std::ranges::any_of(
            effects.declared, [&](const auto& own) { return mentions(end, own); });
        if (effects.assigned.contains(counter) || effects.declared.contains(counter) ||
            declaresAsked || !ast::isCopyable(each, mostNodes))
            return nullptr;
    }
    const std::string type = ast::print(declaration->child(ast::Declaration::specifiers));
    const NodePtr others = context.statement(
        "for (" + type + " $k = $first; $k2 " + std::string(op) +
            " $end; $step) {\n"
            "    $others;\n"
            "}",
        {{"$k", ast::copy(context.arena, name)},
         {"$first", ast::literal(context.arena, std::to_string(*first + 1), loop)},
         {"$k2", ast::copy(context.arena, name)},
         {"$end", end},
         {"$step", step},
         {"$others", asking->statements}},
        loop);
    analysis::CountingLoop one;
    one.statement = others;
    one.name = name;
    const Names none;
    std::vector<NodePtr> statements = WrittenOut(context, none).iterations(one, {long(*first)});
    statements.push_back(others);
    return context.statement(
        "{\n"
        "    $statements;\n"
        "}",
        {{"$statements", std::move(statements)}}, loop);
}

}  // namespace

NodePtr withCountedWhiles(Context& context, NodePtr block) {
    const auto old = block->children();
    if (ast::holdsDirective(block->origin()->text())) return block;
    std::vector<NodePtr> statements(old.begin(), old.end());
    for (size_t k = 0; k < statements.size(); ++k) {
        const NodePtr name = counterOf(statements[k]);
        size_t at = k + 1;
        while (name && at < statements.size() &&
               mayStandInFront(statements[at], statements[k], name->text()))
            ++at;
        if (!name || at == statements.size()) continue;
        const auto rest = std::span<const NodePtr>(statements).subspan(at + 1);
        NodePtr loop = counted(context, statements[k], statements[at], rest);
        if (!loop) loop = countedAtEnd(context, statements[k], statements[at], rest);
        if (!loop) continue;
        statements[at] = loop;
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
        --k;
    }
    return statements.size() == old.size() ? block
                                           : context.arena.rebuilt(block, block, statements);
}

}  // namespace hpcc::nests
