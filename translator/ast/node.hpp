// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

// What a tree may contain; passes leave alone what has nothing for them.
enum Contents : uint8_t {
    extension = 1,  // what no C++ has: `on`, a[i, j] ..
    subscript = 2,  // a[i], of a multiarray or not
    call = 4
};

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
        return isParsed_ ? place_.span : place_.made.shape->place_.span;
    }  // bytes in the text it was parsed from: a file or a schema
    std::string_view text() const {
        return span().str();
    }  // exact source text (of a rebuilt node: of its shape)

    std::span<const NodePtr> children() const {
        return {reinterpret_cast<const NodePtr*>(this + 1), count_};
    }  // entries may be null
    NodePtr child(uint32_t slot) const { return slot < count_ ? children()[slot] : nullptr; }

    NodePtr shape() const { return isParsed_ ? this : place_.made.shape; }
    bool isParsed() const { return isParsed_; }

    // The nearest node of a source file that this one was made from: for #line and messages.
    NodePtr origin() const { return isParsed_ || !place_.made.origin ? this : place_.made.origin; }

    // Longest way down to a leaf, counted up to 65535; the parser keeps it below its nesting
    // limit, so recursion is safe.
    uint32_t depth() const { return depth_; }

    // Whether any of these stands in the node or below it.
    bool contains(uint8_t contents) const { return contents_ & contents; }

    // Annotations of check/, copied by rebuild().
    mutable const Type* type = nullptr;
    mutable const Symbol* symbol = nullptr;

private:
    friend class Arena;
    struct Made {
        NodePtr shape;  // a parsed node
        NodePtr origin;
    };
    // Most of the translator's time goes into reading nodes, so they are small.
    union Place {
        source::Span span;
        Made made;
    };

    Node(Kind kind, uint32_t count, source::Span span)
        : kind_(kind),
          isParsed_(true),
          contents_(contentsOf(kind, count)),
          count_(count),
          place_{.span = span} {}
    Node(Kind kind, uint32_t count, Made made)
        : kind_(kind),
          isParsed_(false),
          contents_(contentsOf(kind, count)),
          count_(count),
          place_{.made = made} {}
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    static uint8_t contentsOf(Kind kind, uint32_t count) {
        const bool isSeveral = kind == Kind::Subscripts && count != 1;
        return (isExtension(kind) || isSeveral ? extension : 0) |
               (kind == Kind::Subscript ? subscript : 0) | (kind == Kind::Call ? call : 0);
    }

    Kind kind_;
    bool isParsed_ : 1;
    uint8_t contents_ : 7;
    uint16_t depth_ = 0;
    uint32_t count_;  // of the children, which lie behind the node
    Place place_;
};

// Null-safe test of the kind.
template <class K>
bool is(NodePtr node) {
    return node && node->is<K>();
}

// A Statement, or a Declaration standing as one.
inline bool isStatement(NodePtr node) {
    return node &&
           (node->category() == Category::Statement || node->category() == Category::Declaration);
}

inline bool isExpression(NodePtr node) { return node && node->category() == Category::Expression; }

}  // namespace hpcc::ast
