// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/sites.hpp"

#include <utility>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/static_visitor.hpp"

namespace hpcc::optimize {
namespace {

class SiteFinder : public ast::StaticEvaluationVisitor<SiteFinder> {
public:
    SiteFinder(Keys& keys, const ast::MacroNames& macros, std::vector<Site>& sites)
        : keys_(keys), macros_(macros), sites_(sites) {}

    void walk(const Step& step, int block, int number) {
        origin_ = {nullptr, {}, step.place, block, number, step.isHead, false};
        conditional_ = false;
        visit(step.node);
    }

    void visitSubscript(NodePtr node) {
        if (!isElementAccess(keys_.graph().names(), node)) return visitChildren(node);
        const NodePtr offset = node->child(ast::Subscript::subscripts)->children()[0];
        const NodePtr base = node->child(ast::Subscript::base);
        const int key = offsetKey(keys_, sumOf(keys_, offset));
        const int data = base->is<ast::Call>() ? keys_.atom(base) : -1;
        add(node, {key, data});
        visitOpaqueParts(key);
    }
    void visitCall(NodePtr node) {
        if (macros_.mayBeMacro(node)) return;
        const int key = ast::inquiryOf(node) ? keys_.atom(node) : -1;
        if (key >= 0) return add(node, {key});
        visitChildren(node);
    }
    void visitConditional(NodePtr node) {
        visit(node->child(ast::Conditional::condition));
        conditionally(node->child(ast::Conditional::then));
        conditionally(node->child(ast::Conditional::otherwise));
    }
    void visitBinary(NodePtr node) {
        visit(node->child(ast::Binary::left));
        if (ast::isShortCircuit(node))
            conditionally(node->child(ast::Binary::right));
        else
            visit(node->child(ast::Binary::right));
    }
    void visitLambda(NodePtr) {}

private:
    void add(NodePtr node, Variables keys) {
        Site site = origin_;
        site.node = node;
        site.keys = std::move(keys);
        site.isConditional = conditional_;
        sites_.push_back(std::move(site));
    }

    void conditionally(NodePtr node) {
        const bool outer = std::exchange(conditional_, true);
        visit(node);
        conditional_ = outer;
    }

    /// Accesses may stand in subscripts of others.
    void visitOpaqueParts(int key) {
        if (key < 0) return;
        const Key& part = keys_[key];  // until another one is made
        if (part.kind == KeyKind::Opaque) return visit(part.sample);
        const int right = part.right;
        visitOpaqueParts(part.left);
        visitOpaqueParts(right);
    }

    Keys& keys_;
    const ast::MacroNames& macros_;
    std::vector<Site>& sites_;
    Site origin_;
    bool conditional_ = false;
};

}  // namespace

std::vector<Site> findSites(Keys& keys, const ast::MacroNames& macros) {
    std::vector<Site> sites;
    SiteFinder finder(keys, macros, sites);
    const auto& blocks = keys.graph().blocks();
    for (size_t block = 0; block < blocks.size(); ++block)
        for (size_t step = 0; step < blocks[block].steps.size(); ++step)
            finder.walk(blocks[block].steps[step], static_cast<int>(block), static_cast<int>(step));
    return sites;
}

}  // namespace hpcc::optimize
