// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes to a function that a pass has decided on, made in one walk.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "optimize/functions.hpp"

namespace hpcc::optimize {

class Edits {
public:
    explicit Edits(Function& function) : function_(function) {}

    /// Makes the new node when the walk comes by; it gets a function that applies the edits to a
    /// part of the old node which goes on living in the new one.
    using Make = std::function<NodePtr(const std::function<NodePtr(NodePtr)>& edited)>;
    void replace(NodePtr node, Make make) { at(node).make = std::move(make); }
    /// The same of a part of a step: the walk goes into these steps only.
    void replaceIn(NodePtr step, NodePtr node, Make make) {
        if (step) at(step);
        replace(node, std::move(make));
    }

    /// Declarations before a statement; those that come later stand in front of the earlier ones.
    /// A statement that stands in no list gets a block.
    void insertBefore(NodePtr statement, NodePtr declaration, bool inList) {
        Edit& edit = at(statement);
        edit.before.push_back(declaration);
        edit.inList = inList;
    }
    /// Behind a statement, which gets a block with it; those that come later stand in front of the
    /// earlier ones.
    void insertBehind(NodePtr statement, NodePtr made) { at(statement).behind.push_back(made); }
    /// The same in an `else` of an `if` that may get one.
    static bool mayGetElse(NodePtr condition);
    void insertInElse(NodePtr condition, NodePtr made) { at(condition).inElse.push_back(made); }
    /// The statement goes.
    void remove(NodePtr statement) { at(statement).isRemoved = true; }

    bool isEmpty() const { return edits_.empty(); }
    NodePtr apply();

private:
    friend class EditingRewriter;
    struct Edit {
        Make make;
        std::vector<NodePtr> before;
        std::vector<NodePtr> behind;
        std::vector<NodePtr> inElse;
        bool inList = true;
        bool isRemoved = false;
    };

    bool isEdited(NodePtr node) const { return isMarked(node) && numbers_.find(node); }
    /// A type, or a step with nothing to be changed in it.
    bool isLeftAlone(NodePtr node) const {
        if (node->is<ast::Specifiers>()) return true;
        if (!ast::isExpression(node) && !node->is<ast::InitDeclarator>()) return false;
        const StepEffects* const step = function_.names().effectsOf(node);
        return step && step->isPlain && !isEdited(node);
    }

    /// True if it perhaps has an edit. Nearly all nodes have none, and are told apart here.
    bool isMarked(NodePtr node) const {
        const auto [word, bit] = markOf(node);
        return marks_[word] & bit;
    }
    static std::pair<size_t, uint64_t> markOf(NodePtr node) {
        const uint64_t hash = (reinterpret_cast<uintptr_t>(node) >> 3) * 0x9E3779B97F4A7C15u;
        return {hash >> 57, uint64_t{1} << (hash >> 51 & 63)};
    }

    Edit& at(NodePtr node) {
        const auto [word, bit] = markOf(node);
        marks_[word] |= bit;
        const auto [number, isNew] = numbers_.insert(node, static_cast<int>(edits_.size()));
        if (isNew) edits_.emplace_back();
        return edits_[static_cast<size_t>(*number)];
    }

    Function& function_;
    std::array<uint64_t, 128> marks_{};
    ast::NodeTable<int> numbers_;
    std::deque<Edit> edits_;
};

/// `{ first.. body last.. }`, with `last` from its end; a block takes the statements round its own.
NodePtr blockOf(Function& function, std::vector<NodePtr> first, NodePtr body,
                const std::vector<NodePtr>& last = {});

}  // namespace hpcc::optimize
