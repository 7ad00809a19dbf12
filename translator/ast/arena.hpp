// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Owns the nodes, types and texts of a unit; everything lives until the arena goes.
#pragma once

#include "ast/node.hpp"
#include "ast/scope.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hpcc::ast {

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // A parsed node: prints as `span`, its children lying inside it in source order.
    const Node* parsed(Kind kind, source::Span span, std::span<const NodePtr> children);
    const Node* parsed(Kind kind, source::Span span, std::initializer_list<NodePtr> children) {
        return parsed(kind, span, std::span(children.begin(), children.size()));
    }

    // A node that prints like `shape`, with other children. A list may have another number of them.
    NodePtr rebuilt(NodePtr shape, NodePtr origin, std::span<const NodePtr> children);

    // Text made by a pass, for leaves; no file has it.
    const source::Text& text(std::string content);
    static bool isMade(const source::Text& text) { return text.path() == made; }

    // Annotations.
    Type* makeType(const Type& type);
    Symbol* makeSymbol(const Symbol& symbol);
    Scope* makeScope(Scope::Kind kind, const Scope* parent);

    // Frees everything, and keeps memory for as much.
    void clear();

    std::size_t nodeCount() const { return nodeCount_; }

private:
    static constexpr std::string_view made = "<made>";  // in place of a path

    template <class Place>
    Node* make(Kind kind, Place place, std::span<const NodePtr> children);
    void* allocate(std::size_t bytes);

    struct Block {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t size;
    };
    std::vector<Block> blocks_;
    std::byte* next_ = nullptr;  // the free part of the last block
    std::size_t free_ = 0;
    std::size_t nodeCount_ = 0;
    std::deque<source::Text> texts_;
    std::deque<Type> types_;
    std::deque<Symbol> symbols_;
    std::deque<Scope> scopes_;
};

// `node` with `children` in place of its own; `node` itself if none differs. Annotations are
// copied.
NodePtr rebuild(Arena& arena, NodePtr node, std::span<const NodePtr> children);

// `node` with one child exchanged.
NodePtr withChild(Arena& arena, NodePtr node, uint32_t slot, NodePtr child);

// Several statements standing where one stood, without braces.
NodePtr sequence(Arena& arena, std::span<const NodePtr> statements, NodePtr origin);
NodePtr sequence(Arena& arena, std::initializer_list<NodePtr> statements, NodePtr origin);

// Leaves with their own text.
NodePtr identifier(Arena& arena, std::string name, NodePtr origin);
NodePtr literal(Arena& arena, std::string text, NodePtr origin);  // NumberLiteral

}  // namespace hpcc::ast
