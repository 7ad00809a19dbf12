// Changes to a function that a pass has decided on, made in one walk.
#pragma once

#include <deque>
#include <functional>
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

    /// Declarations before a statement; those that come later stand in front of the earlier ones.
    /// A statement that stands in no list gets a block.
    void insertBefore(NodePtr statement, NodePtr declaration, bool inList) {
        Edit& edit = at(statement);
        edit.before.push_back(declaration);
        edit.inList = inList;
    }
    /// The statement goes.
    void remove(NodePtr statement) { at(statement).isRemoved = true; }

    bool isEmpty() const { return edits_.empty(); }
    NodePtr apply();

private:
    friend class EditingRewriter;
    struct Edit {
        Make make;
        std::vector<NodePtr> before;
        bool inList = true;
        bool isRemoved = false;
    };

    Edit& at(NodePtr node) {
        const auto [number, isNew] = numbers_.insert(node, static_cast<int>(edits_.size()));
        if (isNew) edits_.emplace_back();
        return edits_[static_cast<size_t>(*number)];
    }

    Function& function_;
    ast::NodeTable<int> numbers_;
    std::deque<Edit> edits_;
};

/// `{ first.. body }`; a block takes the statements in front of its own.
NodePtr blockOf(Function& function, std::vector<NodePtr> first, NodePtr body);

}  // namespace hpcc::optimize
