// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/keys.hpp"

#include <algorithm>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {
namespace {

void addVariables(Key& key, const Key& part) {
    key.variables.insert(key.variables.end(), part.variables.begin(), part.variables.end());
    key.size += part.size;
    key.rank = std::max(key.rank, part.rank);
    key.isMovable &= part.isMovable;
    key.mayThrow |= part.mayThrow;
    key.asked.insert(key.asked.end(), part.asked.begin(), part.asked.end());
    key.hasStride |= part.hasStride;
}

/// Inquiries that answer also for a null handle.
bool neverThrows(std::string_view name) {
    return name == "data" || name == "stride" || name == "valid";
}

}  // namespace

/// Where the key is in the hash table, or would be.
size_t Keys::slotOf(const Shape& shape) const {
    uint64_t hash = hashOf(shape.text);
    for (const int part :
         {static_cast<int>(shape.kind), shape.left, shape.right, shape.variable, shape.declared})
        hash = (hash ^ static_cast<uint32_t>(part)) * 0x9E3779B97F4A7C15u;
    const size_t mask = slots_.size() - 1;
    size_t slot = (hash >> 32) & mask;
    while (slots_[slot] >= 0 && shapeOf((*this)[slots_[slot]]) != shape) slot = (slot + 1) & mask;
    return slot;
}

/// The key of that shape; -1 if there is none yet.
int Keys::find(const Shape& shape) const { return slots_.empty() ? -1 : slots_[slotOf(shape)]; }

/// A new key; what follows from its parts comes with complete().
Key& Keys::add(const Shape& shape) {
    if (2 * (keys_.size() + 1) > slots_.size()) {
        slots_.assign(std::max<size_t>(256, 2 * slots_.size()), -1);
        for (int number = 0; number < size(); ++number)
            if ((*this)[number].kind != KeyKind::Opaque)
                slots_[slotOf(shapeOf((*this)[number]))] = number;
    }
    slots_[slotOf(shape)] = size();
    Key& key = keys_.emplace_back();
    key.kind = shape.kind;
    key.left = shape.left;
    key.right = shape.right;
    key.variable = shape.variable;
    key.declared = shape.declared;
    key.text = shape.text;
    return key;
}

/// The number of the key that was added last.
int Keys::complete() {
    Key& key = keys_.back();
    if (key.left >= 0) addVariables(key, (*this)[key.left]);
    if (key.right >= 0) addVariables(key, (*this)[key.right]);
    std::ranges::sort(key.variables);
    const auto end = std::unique(key.variables.begin(), key.variables.end());
    key.variables.erase(end, key.variables.end());
    return size() - 1;
}

/// The key of that shape, made of its parts alone.
int Keys::found(const Shape& shape, NodePtr sample) {
    if (const int known = find(shape); known >= 0) return known;
    add(shape).sample = sample;
    return complete();
}

int Keys::variable(NodePtr identifier) {
    const int name = graph_.names().find(identifier);
    Shape shape{.kind = KeyKind::Variable,
                .variable = graph_.variableOf(identifier),
                .text = identifier->text()};
    if (name >= 0 && shape.variable < firstVariable) shape.declared = name;
    if (const int known = find(shape); known >= 0) return known;
    Key& key = add(shape);
    key.sample = identifier;
    key.variables = {shape.variable};
    if (name >= 0) {
        const FlowGraph::Home home = graph_.homeOf(name + firstVariable);
        if (home.place >= 0)
            key.rank = graph_.place(home.place).loops +
                       (home.inHead && graph_.place(home.place).isLoop ? 1 : 0);
    }
    if (shape.declared >= 0) key.variables.push_back(name + firstVariable);
    if (shape.variable >= firstVariable) {
        const Variable& variable = graph_.names()[shape.variable - firstVariable];
        // Reading what was perhaps never set is no harm where the program does it itself.
        key.isMovable = variable.initializer || variable.isParameter || variable.isConstant();
    }
    return complete();
}

int Keys::literal(long value) {
    return found({.kind = KeyKind::Literal,
                  .text = literals_.try_emplace(value, std::to_string(value)).first->second});
}

int Keys::opaque(NodePtr node) {
    Key& key = keys_.emplace_back();
    key.sample = node;
    key.isMovable = false;
    key.rank = 1 << 20;  // comes last
    return size() - 1;
}

int Keys::inquiry(int base, std::string_view name, int argument, NodePtr sample) {
    const Shape shape{.kind = KeyKind::Inquiry, .left = base, .right = argument, .text = name};
    if (const int known = find(shape); known >= 0) return known;
    Key& key = add(shape);
    key.sample = sample;
    key.mayThrow = !neverThrows(name) && !isSurelyValid(base);
    const Key& asked = (*this)[base];
    const bool isConstant = asked.kind == KeyKind::Variable && asked.variable >= firstVariable &&
                            graph_.isConstant(asked.variable);
    if (key.mayThrow) key.asked.push_back(isConstant ? asked.variable : -1);
    key.hasStride = name == "stride";
    return complete();
}

/// A range or array that was made by a constructor, a creation, or a question to another one.
bool Keys::isSurelyValid(int key) const {
    const Key& base = (*this)[key];
    if (base.kind == KeyKind::Inquiry)
        return base.text == "rng" || base.text == "dim" || base.text == "grp";
    if (base.kind != KeyKind::Variable || base.variable < firstVariable) return false;
    const Variable& variable = graph_.names()[base.variable - firstVariable];
    if (!variable.isConstant() || !variable.initializer) return false;
    if (!ast::is<ast::EqualInitializer>(variable.initializer)) return true;
    NodePtr value = variable.initializer->child(ast::EqualInitializer::value);
    if (ast::is<ast::FunctionalCast>(value)) return true;
    if (!ast::is<ast::Call>(value)) return false;
    const NodePtr callee = value->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee)) return callee->text().starts_with("hpspmd::create");
    const std::string_view name = callee->child(ast::Member::name)->text();
    return ast::inquiryOf(value) &&
           (name == "rng" || name == "subrange" || name == "dim" || name == "grp");
}

int Keys::member(int base, std::string_view name, NodePtr sample) {
    return found({.kind = KeyKind::Member, .left = base, .text = name}, sample);
}

int Keys::binary(KeyKind kind, int left, int right) {
    return found({.kind = kind, .left = left, .right = right});
}

int Keys::negation(int operand) { return found({.kind = KeyKind::Negation, .left = operand}); }

int Keys::member(NodePtr node, KeyKind kind, NodePtr base, NodePtr name) {
    if (!ast::is<ast::Identifier>(name)) return -1;
    const int left = atom(base);
    if (left < 0) return -1;
    const Shape shape{.kind = kind, .left = left, .text = name->text()};
    if (const int known = find(shape); known >= 0) return known;
    Key& key = add(shape);
    key.sample = node;
    // What a pointer leads to is not the function's own.
    if (kind == KeyKind::Arrow)
        key.variables = {isHandleType(node->type) ? outsideHandles : outsideValues};
    return complete();
}

int Keys::atom(NodePtr node) {
    node = ast::withoutParentheses(node);
    switch (node->kind()) {
    case ast::Kind::Identifier:  // lowering writes numbers as names
    case ast::Kind::NumberLiteral: {
        long value = 0;
        if (asPlainInteger(node, value)) return literal(value);
        return node->is<ast::Identifier>() ? variable(node) : -1;
    }
    case ast::Kind::KeywordLiteral: {
        if (node->text() != "this") return -1;
        return found({.kind = KeyKind::This, .text = "this"});
    }
    case ast::Kind::Member:
        return member(node, KeyKind::Member, node->child(0), node->child(1));
    case ast::Kind::PointerMember:
        return member(node, KeyKind::Arrow, node->child(0), node->child(1));
    case ast::Kind::Call: {
        const ast::RuntimeMember* member = ast::inquiryOf(node);
        if (!member || member->answers == ast::Answers::Parts) return -1;
        const NodePtr callee = node->child(ast::Call::callee);
        const std::string_view name = callee->child(ast::Member::name)->text();
        const auto arguments = node->child(ast::Call::arguments)->children();
        long value = 0;
        const bool literalOnly =
            arguments.empty() || (arguments.size() == 1 && asPlainInteger(arguments[0], value));
        if (!literalOnly || member->takes == ast::Takes::Any || name == "crd") return -1;
        const int base = atom(callee->child(ast::Member::base));
        if (base < 0) return -1;
        return inquiry(base, name, arguments.empty() ? -1 : literal(value), node);
    }
    default:
        return -1;
    }
}

bool asPlainInteger(NodePtr node, long& value) {
    node = ast::withoutParentheses(node);
    const auto literal = node->is<ast::Unary>() ? std::nullopt : ast::asConstant(node);
    value = literal.value_or(0);
    return literal.has_value();
}

}  // namespace hpcc::optimize
