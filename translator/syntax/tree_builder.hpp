// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes nodes from the parser's reductions.
#pragma once

#include "ast/unit.hpp"
#include "syntax/location.hpp"

#include <deque>
#include <initializer_list>
#include <vector>

namespace hpcc::syntax {

struct TokenStream;

using NodePtr = ast::NodePtr;
using NodeList = std::vector<NodePtr>;  // a list under construction

// Trees deeper than this become opaque, so that every recursion over a tree is safe.
constexpr uint32_t deepestTree = 1500;

class TreeBuilder {
public:
    TreeBuilder(ast::Arena& arena, const TokenStream& stream) : arena_(arena), stream_(stream) {}

    // A statement or declaration begins with its attributes, so that what is inserted in front of
    // it does not come between them.
    NodePtr node(ast::Kind kind, const Location& location, std::initializer_list<NodePtr> children);
    NodePtr leaf(ast::Kind kind, const Location& location) { return node(kind, location, {}); }
    // What became opaque after an error, less what stands in front of it in the tree: the parser
    // keeps what it had understood of a statement.
    NodePtr opaqueBehind(ast::Kind kind, const Location& understood, const Location& damaged);

    // The empty statement that a label at the end of a block has.
    NodePtr nothingBehind(const Location& location) {
        return arena_.parsed(ast::Kind::EmptyStatement, source::behind(span(location)), {});
    }

    // Lists grow by left recursion and become nodes when they are complete.
    NodeList* list();
    NodeList* list(NodePtr first);
    NodeList* append(NodeList* list, NodePtr node);
    NodeList* join(NodeList* list, NodePtr middle, NodeList* tail);  // `tail` is used up
    NodePtr finish(ast::Kind kind, const Location& location, NodeList* list);
    NodePtr optionalList(ast::Kind kind, const Location& location,
                         NodeList* list);  // null for an empty one

    // A statement or declaration of a list; too deep a one becomes opaque.
    NodeList* appendStatement(NodeList* list, NodePtr node);

    NodePtr hpspmdAttributes(const Location& location);
    NodePtr templateParameters(const Location& location);

    void setRoot(NodePtr root) { root_ = root; }
    NodePtr root() const { return root_; }

    source::Span span(const Location& location) const;

private:
    NodePtr attribute(const std::vector<struct Token>& tokens, std::size_t begin, std::size_t end);
    NodePtr templateParameter(int begin, int end);

    ast::Arena& arena_;
    const TokenStream& stream_;
    std::deque<NodeList> lists_;
    std::vector<NodeList*> freeLists_;
    NodePtr root_ = nullptr;
};

}  // namespace hpcc::syntax
