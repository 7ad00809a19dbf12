// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow graph of one function body, for analyses that go round loops until nothing changes.
//
//     writeHalo(a);                     block 0: writeHalo(a), c; goes to 1 and 2
//     if (c) overall (..) S             block 1: assume c, S; goes to 2
//     T;                                block 2: leave the if, T
#pragma once

#include "analysis/flow_graph.hpp"
#include "check/types.hpp"

#include <unordered_map>
#include <vector>

namespace hpcc::check::flow {

struct Step {
    enum class Kind {
        Evaluate,  // node: an expression
        Return,    // node: the value, which leaves the function
        Declare,   // node: Declaration, ConditionDeclaration, RangeFor; part: the declarator
        Nest,      // node: an outermost `at` or `overall`
        Opaque,    // node: C++ that is not looked into
        Destroy,   // node: the declarator of an object that ends with code
        Assume,    // part: the condition of `node`, known to hold or not to hold from here on
        Leave,     // behind the `if`, `switch` or loop `node`; part: its condition, null for loops
        Doubt,     // which of the paths exists is decided elsewhere: #if
        Forget     // an exception may have come from anywhere
    };
    Kind kind;
    NodePtr node = nullptr;
    NodePtr part = nullptr;
    NodePtr statement = nullptr;  // that it belongs to
};

using Block = analysis::Block<Step>;

// What a statement stands under.
struct Surroundings {
    std::vector<NodePtr> conditions;  // of `if` and `switch`
    bool isInLoop = false;
};

struct Graph {
    std::vector<Block> blocks;  // the first one is the entry
    std::size_t exit = 0;       // where `return` leads
    bool returnsEarly = false;  // some `return` stands under a condition
    std::unordered_map<NodePtr, Surroundings> surroundings;  // of statements under something
};

Graph flowGraph(NodePtr body);

}  // namespace hpcc::check::flow
