// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/one_counter.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The operands of `a, b, c`, in their order.
void addOperands(NodePtr e, std::vector<NodePtr>& operands) {
    if (!ast::is<ast::Comma>(e)) return operands.push_back(e);
    addOperands(e->child(ast::Comma::left), operands);
    addOperands(e->child(ast::Comma::right), operands);
}

/// True if these may stand at the end of the body.
bool mayEnd(NodePtr body, const std::vector<NodePtr>& statements) {
    const auto isContinue = [](NodePtr each) { return each->is<ast::Continue>(); };
    const ast::Effects effects = ast::effectsOf(body);
    return !ast::anywhere(body, isContinue) && std::ranges::none_of(statements, [&](NodePtr each) {
        return std::ranges::any_of(ast::namesIn(each), [&](std::string_view name) {
            return effects.declared.contains(name);
        });
    });
}

/// Takes what does not change the counter from the step to the end of the body.
NodePtr withPlainStep(Context& context, NodePtr loop) {
    const NodePtr condition = loop->child(ast::For::condition), body = loop->child(ast::For::body);
    std::vector<NodePtr> operands, others;
    addOperands(loop->child(ast::For::step), operands);
    NodePtr own = nullptr;
    for (const NodePtr each : operands) {
        const NodePtr changed = ast::withoutParentheses(ast::changedOperand(each));
        const bool isOwn = ast::is<ast::Identifier>(changed) &&
                           mentions(condition, changed->text()) &&
                           analysis::advance(each, changed->text());
        if (isOwn && own) return loop;
        if (isOwn)
            own = each;
        else
            others.push_back(context.statement("$e;", {{"$e", each}}, each));
    }
    const auto namesOwn = [&](NodePtr each) {
        return mentions(each, ast::withoutParentheses(ast::changedOperand(own))->text());
    };
    if (!own || !mayEnd(body, others) || std::ranges::any_of(others, namesOwn)) return loop;
    const NodePtr longer = context.statement(
        "{\n"
        "    $body;\n"
        "    $others;\n"
        "}",
        {{"$body", statementsIn(body)}, {"$others", others}}, body);
    return ast::withChild(context.arena, ast::withChild(context.arena, loop, ast::For::step, own),
                          ast::For::body, longer);
}

}  // namespace

NodePtr withOneCounter(Context& context, NodePtr loop) {
    if (ast::is<ast::Comma>(loop->child(ast::For::step))) loop = withPlainStep(context, loop);
    const NodePtr initializer = loop->child(ast::For::initializer);
    const auto counting = analysis::loopHead(loop);
    if (!counting || counting->isOwn || !ast::is<ast::Declaration>(initializer)) return loop;
    const NodePtr specifiers = initializer->child(ast::Declaration::specifiers),
                  all = initializer->child(ast::Declaration::declarators);
    const auto declarationOf = [&](NodePtr declarator) {
        const NodePtr list = context.arena.rebuilt(all, all, std::vector<NodePtr>{declarator});
        return context.arena.rebuilt(
            initializer, initializer,
            std::vector<NodePtr>{ast::copy(context.arena, specifiers), list});
    };
    std::vector<NodePtr> own, others;
    for (const NodePtr each : all->children())
        (each->symbol && each->symbol == counting->name->symbol ? own : others).push_back(each);
    const auto namesOwn = [&](NodePtr each) { return mentions(each, counting->name->text()); };
    if (counting->number().bits == 0 || own.size() != 1 || others.empty() ||
        std::ranges::any_of(others, namesOwn))
        return loop;
    std::vector<NodePtr> before;
    for (const NodePtr each : others) before.push_back(declarationOf(each));
    return context.behind(
        before,
        ast::withChild(context.arena, loop, ast::For::initializer, declarationOf(own.front())),
        loop);
}

}  // namespace hpcc::nests
