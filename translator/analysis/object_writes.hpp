// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions change of the objects that they are given.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "analysis/element_writes.hpp"
#include "ast/visitor.hpp"

namespace hpcc::analysis {

struct ObjectWrite {
    NodePtr site;  // the expression or declaration that changes it
    NodePtr place;
    NamedObject object;
    Writing writing;
    bool isConditional = false;  // stands under a condition of its function,
    bool isInNest = false;       // or in a nest of it
};

// Of each FunctionDefinition and Lambda, and of a nest.
class ObjectWrites {
public:
    explicit ObjectWrites(BodyOf bodyOf) : naming_(std::move(bodyOf)) {}

    // Those of elements, parameters and `*this`. A function that calls itself changes what it
    // changes without that call; of functions that call one another, declarations tell.
    const std::vector<ObjectWrite>& of(NodePtr root);

    // It is being looked into just now, or too far below what was asked.
    bool isOutOfReach(NodePtr root) const { return open_.contains(root) || open_.size() > 48; }

    const NamingExpressions& naming() const { return naming_; }

private:
    NamingExpressions naming_;
    std::unordered_map<NodePtr, std::vector<ObjectWrite>> known_;
    std::unordered_set<NodePtr> open_;
};

}  // namespace hpcc::analysis
