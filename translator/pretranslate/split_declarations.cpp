// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/split_declarations.hpp"

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

class DeclarationSplitter : public ast::Rewriter {
public:
    DeclarationSplitter(ast::Arena& arena, ast::Quoter& quote)
        : Rewriter(arena, ast::extension), quote_(quote) {}

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
        const std::string schema = attributesOf(declaration) + "$T $d;";
        std::vector<NodePtr> single;
        NodePtr previous = nullptr;
        for (const NodePtr declarator : list->children()) {
            const NodePtr comments =
                previous ? ast::commentsBetween(arena(), previous, declarator) : nullptr;
            if (comments) single.push_back(comments);
            previous = declarator;
            if (declarator == list->children().back()) {
                const NodePtr ownList = ast::rebuild(arena(), list, std::span(&declarator, 1));
                const NodePtr parts[] = {ast::copy(arena(), type), ownList};
                single.push_back(ast::rebuild(arena(), declaration, parts));
            } else {
                const NodePtr ownType = single.empty() ? type : ast::copy(arena(), type);
                single.push_back(quote_.declaration(
                    arena(), schema, {{"$T", ownType}, {"$d", declarator}}, declarator));
            }
        }
        return ast::sequence(arena(), single, declaration);
    }

    /// `[[maybe_unused]] `, if the declaration begins so: each of its variables has them.
    static std::string attributesOf(NodePtr declaration) {
        const source::Span span = declaration->shape()->span();
        const NodePtr type = declaration->shape()->child(ast::Declaration::specifiers);
        return std::string(span.text->slice(span.begin, type->span().begin));
    }

    ast::Quoter& quote_;
};

}  // namespace

NodePtr splitDeclarations(ast::Arena& arena, ast::Quoter& quote, NodePtr root) {
    return DeclarationSplitter(arena, quote).rewrite(root);
}

}  // namespace hpcc::pretranslate
