// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/split_headers.hpp"

#include <vector>

#include "ast/effects.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

class HeaderSplitter : public ast::Rewriter {
public:
    explicit HeaderSplitter(ast::Arena& arena) : Rewriter(arena, ast::extension) {}

    NodePtr rewriteOverall(NodePtr node) override {
        const NodePtr overall = rewriteChildren(node);
        const NodePtr list = overall->child(ast::Overall::headers);
        if (list->children().size() < 2) return overall;
        NodePtr nest = overall->child(ast::Overall::body);
        for (size_t depth = list->children().size(); depth-- > 0;) {
            const NodePtr header = list->children()[depth];
            const NodePtr parts[] = {ast::rebuild(arena(), list, std::span(&header, 1)), nest};
            nest = ast::rebuild(arena(), overall, parts);
        }
        return nest;
    }

    NodePtr rewriteOverallExpression(NodePtr node) override {
        const NodePtr outer = rewriteChildren(node),
                      inner = outer->child(ast::OverallExpression::expression);
        if (!ast::is<ast::OverallExpression>(inner)) return outer;
        const NodePtr first = outer->child(ast::OverallExpression::headers),
                      second = inner->child(ast::OverallExpression::headers);
        const auto names = ast::namesIn(second);
        std::vector<NodePtr> headers(first->children().begin(), first->children().end());
        for (const NodePtr each : headers)
            if (names.contains(each->child(ast::OverallHeader::index)->text())) return outer;
        headers.insert(headers.end(), second->children().begin(), second->children().end());
        const NodePtr parts[] = {ast::rebuild(arena(), first, headers),
                                 inner->child(ast::OverallExpression::expression)};
        return ast::rebuild(arena(), outer, parts);
    }
};

}  // namespace

NodePtr splitHeaders(ast::Arena& arena, NodePtr root) {
    return HeaderSplitter(arena).rewrite(root);
}

}  // namespace hpcc::pretranslate
