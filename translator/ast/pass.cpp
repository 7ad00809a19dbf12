#include "ast/pass.hpp"

#include <cstdio>
#include <cstdlib>

#include "ast/node_table.hpp"
#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

class SharedNodeFinder : public Visitor {
public:
    explicit SharedNodeFinder(const source::Text* file) : file_(file) {}
    NodePtr found = nullptr;

    void visitOther(NodePtr node) override {
        if (found) return;
        if (node->isParsed() && node->span().text != file_) return;  // belongs to its schema
        if (!seen_.insert(node, true).second) {
            found = node;
            return;
        }
        visitChildren(node);
    }

    void visitFunctionDefinition(NodePtr node) override {
        NodeTable<bool> outside;
        std::swap(outside, seen_);
        visitOther(node);
        std::swap(outside, seen_);
    }

private:
    const source::Text* file_;
    NodeTable<bool> seen_;
};

}  // namespace

NodePtr findSharedNode(NodePtr root) {
    SharedNodeFinder finder(root->span().text);
    finder.visit(root);
    return finder.found;
}

Unit runPass(const Pass& pass, Unit unit, Quoter& quote) {
    unit = pass.function(std::move(unit), quote);
    if (const NodePtr shared = findSharedNode(unit.root)) {
        std::fprintf(stderr, "hpcc: internal error: pass '%.*s' uses a node twice: %.*s\n",
                     static_cast<int>(pass.name.size()), pass.name.data(),
                     static_cast<int>(shared->text().size()), shared->text().data());
        std::abort();
    }
    return unit;
}

}  // namespace hpcc::ast
