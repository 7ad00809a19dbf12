// The one tree type of the translator: immutable, shared, owned by an Arena.
#pragma once

#include "ast/kind.hpp"
#include "source/span.hpp"

#include <span>
#include <string_view>

namespace hpcc::ast {

class Arena;
class Node;
struct Type;
struct Symbol;

using NodePtr = const Node*;

// A *parsed* node owns a span of its text and prints as itself. A *rebuilt* node (passes, quoter)
// has new children but keeps the shape of the parsed node it came from: it prints as that node's
// text with the children exchanged. Two trees that differ are different pointers, so "changed" is a
// pointer compare.
class Node {
public:
    Kind kind() const { return kind_; }
    template <class K>
    bool is() const {
        return kind_ == K::kind;
    }  // node->is<Overall>()
    Category category() const { return categoryOf(kind_); }

    source::Span span() const {
        return span_;
    }  // bytes in the text it was parsed from: a file or a schema
    std::string_view text() const {
        return span_.str();
    }  // exact source text (of a rebuilt node: of its shape)

    std::span<const NodePtr> children() const {
        return {children_, count_};
    }  // entries may be null
    NodePtr child(uint32_t slot) const { return slot < count_ ? children_[slot] : nullptr; }

    NodePtr shape() const { return shape_ ? shape_ : this; }
    bool isParsed() const { return !shape_; }

    // The nearest node of a source file that this one was made from: for #line and messages.
    NodePtr origin() const { return origin_ ? origin_ : this; }

    // Longest way down to a leaf; the parser keeps it below its nesting limit, so recursion is
    // safe.
    uint32_t depth() const { return depth_; }

    // Annotations of check/, copied by rebuild().
    mutable const Type* type = nullptr;
    mutable const Symbol* symbol = nullptr;

private:
    friend class Arena;
    Node() = default;

    Kind kind_ = Kind::Sequence;
    uint32_t count_ = 0;
    uint32_t depth_ = 0;
    source::Span span_;
    const NodePtr* children_ = nullptr;
    NodePtr shape_ = nullptr;
    NodePtr origin_ = nullptr;
};

// Null-safe test of the kind.
template <class K>
bool is(NodePtr node) {
    return node && node->is<K>();
}

bool isStatement(NodePtr node);  // a Statement, or a Declaration standing as one
bool isExpression(NodePtr node);

}  // namespace hpcc::ast
