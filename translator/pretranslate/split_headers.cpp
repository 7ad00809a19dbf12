// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/split_headers.hpp"

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
};

}  // namespace

NodePtr splitHeaders(ast::Arena& arena, NodePtr root) {
    return HeaderSplitter(arena).rewrite(root);
}

}  // namespace hpcc::pretranslate
