// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/pass.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "ast/node_table.hpp"

namespace hpcc::ast {
namespace {

class SharedNodeFinder {
public:
    explicit SharedNodeFinder(const source::Text* file) : file_(file) {}
    NodePtr found = nullptr;

    void visit(NodePtr node) {
        if (node->isParsed() && node->span().text != file_) return;  // belongs to its schema
        if (!node->is<FunctionDefinition>()) return enter(node);
        Nodes outside;
        std::swap(outside, seen_);
        enter(node);
        std::swap(outside, seen_);
    }

private:
    // 64 places for nodes in an entry: the first bytes of a node fill one.
    using Nodes = NodeTable<uint64_t>;
    static constexpr std::uintptr_t placeSize = 32;
    static_assert(sizeof(Node) >= placeSize);

    void enter(NodePtr node) {
        const auto place = reinterpret_cast<std::uintptr_t>(node) / placeSize;
        const auto places = reinterpret_cast<NodePtr>((place & ~std::uintptr_t{63}) * placeSize);
        uint64_t& taken = *seen_.insert(places, 0).first;
        const uint64_t own = uint64_t{1} << place % 64;
        if (taken & own) found = node;
        taken |= own;
        for (const NodePtr child : node->children())
            if (child && !found) visit(child);
    }

    const source::Text* file_;
    Nodes seen_;
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
