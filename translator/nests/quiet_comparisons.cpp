// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/quiet_comparisons.hpp"

#include <algorithm>
#include <string>

#include "analysis/operators.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool comparesFractions(NodePtr comparison) {
    return std::ranges::any_of(comparison->children(), [](NodePtr side) {
        return side->type && side->type->kind == ast::TypeKind::Floating;
    });
}

class QuietComparisons : public ast::Rewriter {
public:
    QuietComparisons(Context& context, const std::vector<Reduction>& joined)
        : Rewriter(context.arena), context_(context), joined_(joined) {}

    NodePtr rewriteIf(NodePtr node) override {
        const NodePtr condition = node->child(ast::If::condition),
                      then = node->child(ast::If::then);
        if (!ast::isExpression(condition) || changesNumber(then)) return rewriteChildren(node);
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        for (NodePtr& child : children)
            child = child == condition ? askedAgainst(child) : rewrite(child);
        return ast::rebuild(arena(), node, children);
    }
    NodePtr rewriteUnary(NodePtr node) override {
        if (!analysis::isNegation(node)) return rewriteChildren(node);
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        for (NodePtr& child : children)
            if (child == node->child(ast::Unary::operand)) child = askedAgainst(child);
        return ast::rebuild(arena(), node, children);
    }
    NodePtr rewriteBinary(NodePtr node) override {
        const NodePtr rest = rewriteChildren(node);
        const std::string_view op = analysis::operatorOf(node);
        const bool isOrder = op == "<" || op == "<=" || op == ">" || op == ">=";
        if (!isAgainst_ || !isOrder || !comparesFractions(node)) return rest;
        const NodePtr left = rest->child(ast::Binary::left),
                      right = rest->child(ast::Binary::right);
        return context_.expression(
            op.size() == 1 ? "hpspmd::detail::isBelow($a, $b)" : "hpspmd::detail::isAtMost($a, $b)",
            {{"$a", op[0] == '<' ? left : right}, {"$b", op[0] == '<' ? right : left}}, node);
    }

private:
    bool changesNumber(NodePtr statement) const {
        return std::ranges::any_of(joined_, [&](const Reduction& each) {
            return source::mentionsName(ast::print(statement), each.name);
        });
    }
    /// Something is done where the condition is false.
    NodePtr askedAgainst(NodePtr condition) {
        isAgainst_ = !isAgainst_;
        const NodePtr quiet = rewrite(condition);
        isAgainst_ = !isAgainst_;
        return quiet;
    }

    Context& context_;
    const std::vector<Reduction>& joined_;
    bool isAgainst_ = false;
};

}  // namespace

NodePtr withQuietComparisons(Context& context, NodePtr body, const std::vector<Reduction>& joined) {
    return QuietComparisons(context, joined).rewrite(body);
}

}  // namespace hpcc::nests
