// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a nest, and the element accesses inside.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "analysis/guards.hpp"
#include "analysis/loop.hpp"

namespace hpcc::analysis {

// An `overall` or `at` with its index, a `for` that counts, or one over a container, by value.
struct Loop {
    NodePtr header = nullptr;     // the OverallHeader, At, For or RangeFor
    NodePtr name = nullptr;       // of its variable
    const Loop* outer = nullptr;  // the one directly round it
    const Loop* one = nullptr;    // the one that it runs as: itself, or that of another nest
    std::optional<CountingLoop> counting = {};

    bool isDistributed() const { return !header->is<ast::For>() && !header->is<ast::RangeFor>(); }
    NodePtr range() const;    // of an overall; else null,
    NodePtr triplet() const;  // and what it goes over
};

// first + step * node; without `first`, step * node.
struct Subscript {
    NodePtr node = nullptr;
    NodePtr first = nullptr;
    long step = 1;
};

// A reference to an element, or to what lies in one.
struct Access {
    NodePtr node = nullptr;  // the Subscript
    std::vector<Subscript> subscripts;
    const Loop* loop = nullptr;  // the innermost round it
    std::vector<NodePtr> path;   // from the nest down to it
    Guards guards;

    bool isIn(const Loop& loop) const;
};

// One nest, or several that stand one behind the other. What is not changed in any of them is
// fixed: it has one value throughout.
class IterationSpace {
public:
    using Names = std::unordered_set<std::string_view>;

    // What they may change, counters of loops apart, is known from `changed`, or else by names.
    explicit IterationSpace(const std::vector<NodePtr>& nests,
                            std::optional<Names> changed = std::nullopt);
    IterationSpace(const IterationSpace&) = delete;
    IterationSpace& operator=(const IterationSpace&) = delete;

    const Loop* loopAt(NodePtr header) const;
    const Access& access(NodePtr subscript) const;

    // From here on a loop runs as another one, which goes over the same values.
    void join(NodePtr header, NodePtr with);

    // The loop round a place whose variable this is; null if it is none.
    const Loop* loopOf(NodePtr name, const Loop* place) const;

    // An expression of fixed names, without an effect.
    bool isFixed(NodePtr expression) const;

    // The value that a variable has wherever it is named, and the loop in which that is computed.
    struct Value {
        NodePtr expression = nullptr;  // null if it is not known
        const Loop* place = nullptr;
    };
    Value valueOf(NodePtr name, const Loop* place) const;

    // Where a variable of the nests is declared.
    struct Declared {
        NodePtr block = nullptr;   // the Compound,
        std::size_t position = 0;  // of which statement it is,
        const Loop* loop = nullptr;
    };
    const Declared* declared(const Symbol* variable) const;  // null if in no block

    // What an initializer names has the value that it had there, in all iterations.
    static bool isStableThroughout(NodePtr initializer);

    // It may be jumped over what stands behind a jump, in any of the nests.
    bool mayJump() const { return mayJump_; }

private:
    void noteParent(NodePtr node);
    void walk(NodePtr node, const Loop* loop);
    void walkChildren(NodePtr node, const Loop* loop);
    void noteDeclarations(NodePtr block, const Loop* loop);
    const Loop* enter(NodePtr header, NodePtr name, const Loop* outer);
    bool counts(const CountingLoop& loop) const;
    void enterFor(NodePtr node, const Loop* outer);
    void enterRangeFor(NodePtr node, const Loop* outer);
    bool hasFixedNames(NodePtr node) const;
    bool keepsValue(NodePtr node, const Loop* place) const;

    Names changed_, declared_;
    bool isChangeKnown_;
    bool mayJump_ = false;
    std::deque<Loop> loops_;
    std::unordered_map<NodePtr, Loop*> loopAt_;           // by header
    std::unordered_map<NodePtr, NodePtr> parents_;        // of what holds subscripts
    std::unordered_map<NodePtr, const Loop*> innermost_;  // round a Subscript
    std::unordered_map<const Symbol*, Value> values_;     // of variables of the nests
    std::unordered_map<const Symbol*, Declared> declaredAt_;
    mutable std::unordered_map<NodePtr, Access> accesses_;
    mutable Skips skips_;
};

}  // namespace hpcc::analysis
