// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pure expressions of a body, each shape once: what two places compute alike has one number.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

enum class KeyKind : uint8_t {
    Variable,    // i
    Literal,     // 3
    This,        // this
    Member,      // left.text
    Arrow,       // left->text
    Inquiry,     // left.text(right?)      right: a literal
    Sum,         // left + right
    Difference,  // left - right
    Product,     // left * right
    Negation,    // -left
    Opaque       // anything else: stays where it is, and is equal to nothing
};

struct Key {
    KeyKind kind = KeyKind::Opaque;
    int left = -1;
    int right = -1;
    int variable = -1;      // of a Variable: as FlowGraph::variableOf
    int declared = -1;      // of one that is declared here, but that others may change: as Names
    std::string_view text;  // name, literal
    NodePtr sample = nullptr;
    int size = 1;
    int rank = 0;           // loops round the innermost place where one of its variables changes
    bool isMovable = true;  // it and its parts may be evaluated where no one asked for them
    bool mayThrow = false;  // a question to a range or array that might be null
    Variables asked;        // those, -1 for what is no constant variable
    bool hasStride = false;
    Variables variables;  // all of them, sorted; pseudo variables included
};

class Keys {
public:
    explicit Keys(const FlowGraph& graph) : graph_(graph) {}

    const Key& operator[](int key) const { return keys_[static_cast<size_t>(key)]; }
    int size() const { return static_cast<int>(keys_.size()); }
    const FlowGraph& graph() const { return graph_; }

    int variable(NodePtr identifier);
    int literal(long value);
    int opaque(NodePtr node);
    int inquiry(int base, std::string_view name, int argument, NodePtr sample);
    int member(int base, std::string_view name, NodePtr sample);
    int binary(KeyKind kind, int left, int right);
    int negation(int operand);

    /// A name, member, inquiry or literal; -1 for anything else.
    int atom(NodePtr node);

private:
    /// What tells a key from the others.
    struct Shape {
        KeyKind kind;
        int left = -1, right = -1, variable = -1, declared = -1;
        std::string_view text{};
        bool operator==(const Shape&) const = default;
    };

    static Shape shapeOf(const Key& key) {
        return {key.kind, key.left, key.right, key.variable, key.declared, key.text};
    }
    size_t slotOf(const Shape& shape) const;
    int find(const Shape& shape) const;
    Key& add(const Shape& shape);
    int complete();
    int found(const Shape& shape, NodePtr sample = nullptr);
    int member(NodePtr node, KeyKind kind, NodePtr base, NodePtr name);
    bool isSurelyValid(int key) const;

    const FlowGraph& graph_;
    std::vector<Key> keys_;
    std::vector<int> slots_;  // a hash table: keys, -1: free; a power of two, at most half full
    std::unordered_map<long, std::string> literals_;
};

/// The literal's value, for plain decimal integers without suffix.
bool asPlainInteger(NodePtr node, long& value);

}  // namespace hpcc::optimize
