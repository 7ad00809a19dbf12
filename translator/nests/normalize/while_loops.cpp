// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/while_loops.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/mentions.hpp"

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
    const NodePtr value = declaration->child(ast::Declaration::declarators)
                              ->child(0)
                              ->child(ast::InitDeclarator::initializer)
                              ->child(ast::EqualInitializer::value);
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
        const NodePtr loop =
            counted(context, statements[k], statements[at], std::span(statements).subspan(at + 1));
        if (!loop) continue;
        statements[at] = loop;
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
        --k;
    }
    return statements.size() == old.size() ? block
                                           : context.arena.rebuilt(block, block, statements);
}

}  // namespace hpcc::nests
