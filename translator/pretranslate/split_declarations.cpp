#include "pretranslate/split_declarations.hpp"

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

class Splitter : public ast::Rewriter {
public:
    using Rewriter::Rewriter;

    NodePtr rewriteTranslationUnit(NodePtr node) override { return rewriteList(node); }
    NodePtr rewriteMembers(NodePtr node) override { return rewriteList(node); }
    NodePtr rewriteCompound(NodePtr node) override { return rewriteList(node); }

private:
    NodePtr rewriteList(NodePtr list) {
        std::vector<NodePtr> children;
        for (const NodePtr child : list->children()) children.push_back(split(rewrite(child)));
        return ast::rebuild(arena(), list, children);
    }

    NodePtr split(NodePtr declaration) {
        if (!ast::is<ast::Declaration>(declaration)) return declaration;
        const NodePtr type = declaration->child(ast::Declaration::specifiers);
        const NodePtr list = declaration->child(ast::Declaration::declarators);
        if (!ast::is<ast::MultiarrayType>(type) || !list || list->children().size() < 2)
            return declaration;
        std::vector<NodePtr> single;
        NodePtr previous = nullptr;
        for (const NodePtr declarator : list->children()) {
            const NodePtr comments =
                previous ? ast::commentsBetween(arena(), previous, declarator) : nullptr;
            if (comments) single.push_back(comments);
            previous = declarator;
            const NodePtr ownType = single.empty() ? type : ast::copy(arena(), type);
            const NodePtr ownList = ast::rebuild(arena(), list, std::span(&declarator, 1));
            const NodePtr parts[] = {ownType, ownList};
            single.push_back(ast::rebuild(arena(), declaration, parts));
        }
        return ast::sequence(arena(), single, declaration);
    }
};

}  // namespace

NodePtr splitDeclarations(ast::Arena& arena, NodePtr root) { return Splitter(arena).rewrite(root); }

}  // namespace hpcc::pretranslate
