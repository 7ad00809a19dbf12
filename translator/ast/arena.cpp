// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/arena.hpp"

#include <algorithm>
#include <cassert>

namespace hpcc::ast {

// Blocks grow with the unit: a small one shall not ask for much, a large one not often.
void* Arena::allocate(std::size_t bytes) {
    if (bytes > free_) {
        constexpr std::size_t first = std::size_t{1} << 14, last = std::size_t{1} << 20;
        free_ = std::max(bytes, std::min(last, first << std::min<std::size_t>(blocks_.size(), 6)));
        blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[free_]), free_});
        next_ = blocks_.back().bytes.get();
    }
    std::byte* const memory = next_;
    next_ += bytes;
    free_ -= bytes;
    return memory;
}

void Arena::clear() {
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    if (!blocks_.empty()) {
        next_ = blocks_.back().bytes.get();
        free_ = blocks_.back().size;
    }
    texts_.clear();
    types_.clear();
    symbols_.clear();
    scopes_.clear();
}

template <class Place>
Node* Arena::make(Kind kind, Place place, std::span<const NodePtr> children) {
    ++nodeCount_;
    void* const memory = allocate(sizeof(Node) + children.size_bytes());
    auto* const node = new (memory) Node(kind, static_cast<uint32_t>(children.size()), place);
    auto* next = reinterpret_cast<NodePtr*>(node + 1);
    uint32_t depth = 0;
    for (const NodePtr child : children) {
        new (next++) NodePtr(child);
        if (!child) continue;
        depth = std::max(depth, child->depth() + 1);
        node->contents_ |= child->contents_;
    }
    node->depth_ = static_cast<uint16_t>(std::min<uint32_t>(depth, UINT16_MAX));
    return node;
}

const Node* Arena::parsed(Kind kind, source::Span span, std::span<const NodePtr> children) {
    return make(kind, span, children);
}

NodePtr Arena::rebuilt(NodePtr shape, NodePtr origin, std::span<const NodePtr> children) {
    assert(arityOf(shape->kind()) == Arity::List || children.size() == shape->children().size());
    const Node::Made made{shape->shape(), origin ? origin->origin() : nullptr};
    return make(shape->kind(), made, children);
}

const source::Text& Arena::text(std::string content) {
    return texts_.emplace_back(std::string(made), std::move(content));
}

Type* Arena::makeType(const Type& type) { return &types_.emplace_back(type); }
Symbol* Arena::makeSymbol(const Symbol& symbol) { return &symbols_.emplace_back(symbol); }
Scope* Arena::makeScope(Scope::Kind kind, const Scope* parent) {
    return &scopes_.emplace_back(kind, parent);
}

NodePtr rebuild(Arena& arena, NodePtr node, std::span<const NodePtr> children) {
    if (std::ranges::equal(node->children(), children)) return node;
    NodePtr copy = arena.rebuilt(node, node, children);
    copy->type = node->type;
    copy->symbol = node->symbol;
    return copy;
}

NodePtr withChild(Arena& arena, NodePtr node, uint32_t slot, NodePtr child) {
    std::vector<NodePtr> children(node->children().begin(), node->children().end());
    assert(slot < children.size() && (children[slot] || !child) && "an absent child has no place");
    children[slot] = child;
    return rebuild(arena, node, children);
}

namespace {

// A leaf or list with its own text, made from `origin`.
NodePtr made(Arena& arena, Kind kind, std::string content, std::span<const NodePtr> children,
             NodePtr origin) {
    const source::Text& text = arena.text(std::move(content));
    const Node* shape = arena.parsed(kind, {&text, 0, text.size()}, {});
    return arena.rebuilt(shape, origin, children);
}

}  // namespace

NodePtr sequence(Arena& arena, std::span<const NodePtr> statements, NodePtr origin) {
    return made(arena, Kind::Sequence, "", statements, origin);
}

NodePtr sequence(Arena& arena, std::initializer_list<NodePtr> statements, NodePtr origin) {
    return sequence(arena, std::span(statements.begin(), statements.size()), origin);
}

NodePtr identifier(Arena& arena, std::string name, NodePtr origin) {
    return made(arena, Kind::Identifier, std::move(name), {}, origin);
}

NodePtr literal(Arena& arena, std::string text, NodePtr origin) {
    return made(arena, Kind::NumberLiteral, std::move(text), {}, origin);
}

}  // namespace hpcc::ast
