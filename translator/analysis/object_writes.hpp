// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function changes of the objects that it is given, for element_writes.cpp alone.
#pragma once

#include <unordered_map>

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
    // changes without that call.
    const std::vector<ObjectWrite>& of(NodePtr root);

    const NamingExpressions& naming() const { return naming_; }

private:
    NamingExpressions naming_;
    std::unordered_map<NodePtr, std::vector<ObjectWrite>> known_;
};

}  // namespace hpcc::analysis
