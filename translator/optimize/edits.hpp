// Changes to a function that a pass has decided on, made in one walk.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "optimize/functions.hpp"

namespace hpcc::optimize {

class Edits {
public:
    explicit Edits(Function& function) : function_(function) {}

    /// Makes the new node when the walk comes by; it gets a function that applies the edits to a
    /// part of the old node which goes on living in the new one.
    using Make = std::function<NodePtr(const std::function<NodePtr(NodePtr)>& edited)>;
    void replace(NodePtr node, Make make) { made_[node] = std::move(make); }

    /// Declarations before a statement; those that come later stand in front of the earlier ones.
    /// A statement that stands in no list gets a block.
    void insertBefore(NodePtr statement, NodePtr declaration, bool inList) {
        Insertion& insertion = before_[statement];
        insertion.statements.push_back(declaration);
        insertion.inList = inList;
    }
    /// The statement goes.
    void remove(NodePtr statement) { removed_.insert(statement); }

    bool isEmpty() const { return made_.empty() && before_.empty() && removed_.empty(); }
    NodePtr apply();

private:
    friend class EditingRewriter;
    struct Insertion {
        std::vector<NodePtr> statements;
        bool inList = true;
    };

    Function& function_;
    std::unordered_map<NodePtr, Make> made_;
    std::unordered_map<NodePtr, Insertion> before_;
    std::unordered_set<NodePtr> removed_;
};

/// `{ first.. body }`; a block takes the statements in front of its own.
NodePtr blockOf(Function& function, std::vector<NodePtr> first, NodePtr body);

}  // namespace hpcc::optimize
