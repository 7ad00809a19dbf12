// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/redone_rows.hpp"

#include <algorithm>
#include <set>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `if (hpspmd::detail::areUnordered(x, y)) { x = hpspmd::detail::realOfProduct(..); .. }`
bool isRareProduct(NodePtr node) {
    return ast::is<ast::If>(node) && ast::is<ast::Call>(node->child(ast::If::condition)) &&
           !node->child(ast::If::otherwise) &&
           ast::anywhere(node->child(ast::If::then), [](NodePtr each) {
               return ast::is<ast::Call>(each) &&
                      each->child(ast::Call::callee)->text() == "hpspmd::detail::realOfProduct";
           });
}

/// True if its iterations may run twice: they only set elements of arrays that none reads, and
/// numbers of their own.
bool mayBeDoneAgain(const Nest& nest, const Loop& loop) {
    std::set<size_t> written, read;
    std::set<NodePtr> set;
    const bool areKnown = !ast::anywhere(bodyOf(loop), [&](NodePtr each) {
        const NodePtr changed = ast::changedOperand(each);
        if (!changed) return false;
        const NodePtr target = ast::withoutParentheses(changed);
        if (ast::is<ast::Identifier>(target)) return !loop.declared.contains(target->text());
        set.insert(target);
        return !accessAt(nest, target) || !ast::is<ast::Assign>(each) ||
               each->child(ast::Assign::op)->text() != "=";
    });
    for (const Access* each : accessesIn(nest, loop))
        (set.contains(each->node) ? written : read).insert(each->array);
    return areKnown && loop.isInnermost && !loop.jumps &&
           std::ranges::none_of(written, [&](size_t each) { return read.contains(each); });
}

class Noting : public ast::Rewriter {
public:
    Noting(Context& context, std::string found)
        : Rewriter(context.arena), context_(context), found_(std::move(found)) {}

    NodePtr rewriteIf(NodePtr node) override {
        if (!isRareProduct(node)) return rewriteChildren(node);
        return context_.statement(
            "$f |= $c;",
            {{"$f", context_.identifier(found_, node)},
             {"$c", ast::copy(context_.arena, node->child(ast::If::condition))}},
            node);
    }

private:
    Context& context_;
    const std::string found_;
};

}  // namespace

NodePtr withRareProductsRedone(Context& context, const Nest& nest, const Loop& loop,
                               NodePtr marked) {
    if (!ast::is<ast::MacroStatement>(marked) || !ast::anywhere(bodyOf(loop), isRareProduct) ||
        !mayBeDoneAgain(nest, loop))
        return marked;
    const NodePtr written = marked->child(ast::MacroStatement::body);
    const std::string variable(loop.variable), found = context.fresh(variable + "_found");
    return context.statement(
        "{\n"
        "    int $found = 0;\n"
        "    HPSPMD_REDUCTION(" +
            variable + ", reduction(| : " + found +
            "))\n"
            "    $fast;\n"
            "    if ($found2 != 0) {\n        $loop;\n    }\n"
            "}",
        {{"$found", context.identifier(found, written)},
         {"$found2", context.identifier(found, written)},
         {"$fast", Noting(context, found).rewrite(ast::copy(context.arena, written))},
         {"$loop", written}},
        loop.statement);
}

}  // namespace hpcc::nests
