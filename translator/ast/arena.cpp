#include "ast/arena.hpp"

#include <algorithm>
#include <cassert>

namespace hpcc::ast {

bool isStatement(NodePtr node) {
    return node &&
           (node->category() == Category::Statement || node->category() == Category::Declaration);
}

bool isExpression(NodePtr node) { return node && node->category() == Category::Expression; }

Node* Arena::allocateNode() {
    if (nodeCount_ % blockSize == 0)
        nodeBlocks_.push_back(std::unique_ptr<Node[]>(new Node[blockSize]));
    return &nodeBlocks_.back()[nodeCount_++ % blockSize];
}

const NodePtr* Arena::copyChildren(std::span<const NodePtr> children, uint32_t& depth) {
    depth = 0;
    if (children.empty()) return nullptr;
    if (children.size() > childrenLeft_) {
        childrenLeft_ = std::max(children.size(), 4 * blockSize);
        childBlocks_.push_back(std::make_unique<NodePtr[]>(childrenLeft_));
        nextChild_ = childBlocks_.back().get();
    }
    NodePtr* copy = nextChild_;
    std::copy(children.begin(), children.end(), copy);
    for (NodePtr child : children)
        if (child) depth = std::max(depth, child->depth() + 1);
    nextChild_ += children.size();
    childrenLeft_ -= children.size();
    return copy;
}

const Node* Arena::parsed(Kind kind, source::Span span, std::span<const NodePtr> children) {
    Node* node = allocateNode();
    node->kind_ = kind;
    node->span_ = span;
    node->children_ = copyChildren(children, node->depth_);
    node->count_ = static_cast<uint32_t>(children.size());
    return node;
}

NodePtr Arena::rebuilt(NodePtr shape, NodePtr origin, std::span<const NodePtr> children) {
    assert(arityOf(shape->kind()) == Arity::List || children.size() == shape->children().size());
    Node* node = allocateNode();
    node->kind_ = shape->kind();
    node->span_ = shape->span();
    node->children_ = copyChildren(children, node->depth_);
    node->count_ = static_cast<uint32_t>(children.size());
    node->shape_ = shape->shape();
    node->origin_ = origin ? origin->origin() : nullptr;
    return node;
}

const source::Text& Arena::text(std::string content) {
    return texts_.emplace_back("<made>", std::move(content));
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
