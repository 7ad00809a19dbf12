// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow graph of one function or lambda body, and its statements as places where code can be
// put.
#pragma once

#include <vector>

#include "analysis/flow_graph.hpp"
#include "optimize/step_effects.hpp"

namespace hpcc::optimize {

/// Pseudo variables that stand for everything the body does not own: `outsideHandles` for ranges,
/// arrays and groups, changed by unknown code; `outsideValues` for the rest, changed also by
/// stores into elements. Real variables have the numbers of Names plus `firstVariable`.
enum : int { outsideHandles = 0, outsideValues = 1, firstVariable = 2 };

/// One full expression, or an operand of its commas, evaluated as a whole.
struct Step {
    NodePtr node = nullptr;
    int place = 0;        // the statement that it belongs to
    Variables defs;       // variables and pseudo variables that get a new value
    bool isHead = false;  // condition or step of a loop: evaluated again in each iteration
    bool callsUnknown = false;
};

using analysis::Links;
using Block = analysis::Block<Step>;

/// How a statement hangs in the one around it.
enum class Edge { List, Branch, Loop };

/// One statement. Places are numbered in textual order: those inside `p` are p+1 .. end-1.
struct Place {
    NodePtr statement = nullptr;
    int parent = -1;
    int end = 0;
    int loops = 0;  // loops around it
    Edge edge = Edge::List;
    bool isLoop = false;
    bool isList = false;        // a block
    bool mayJump = false;       // control may leave it other than at its end
    bool canPrecede = true;     // a statement may be put before it
    bool callsUnknown = false;  // itself, not the statements inside
    int block = 0;              // the point before it in the flow graph
    int step = 0;
    int endBlock = -1;  // the point behind it; -1: control does not come there
    int endStep = 0;
};

class FlowGraph {
public:
    FlowGraph(const Names& names, NodePtr body);

    const Names& names() const { return names_; }
    const std::vector<Block>& blocks() const { return blocks_; }
    const Step& step(int block, int number) const {
        return blocks_[static_cast<size_t>(block)].steps[static_cast<size_t>(number)];
    }
    const std::vector<Place>& places() const { return places_; }
    const Place& place(int number) const { return places_[static_cast<size_t>(number)]; }
    int entry() const { return 0; }
    /// False if the body holds C++ that the translator does not look into: it stays as it is.
    bool isKnown() const { return isKnown_; }

    bool isInside(int place, int outer) const {
        return place >= outer && place < this->place(outer).end;
    }
    /// The innermost loop statement around a place; -1 if there is none.
    int loopAround(int place) const;

    /// Where a variable is declared: the place of its statement; -1 for parameters and variables
    /// of outer bodies. A loop's or condition's own variable lives inside that place only.
    struct Home {
        int place = -1;
        bool inHead = false;
    };
    Home homeOf(int variable) const;
    /// True if an expression that reads the variable may stand before `place`.
    bool isDeclaredBefore(int variable, int place) const;

    /// The number that an Identifier stands for here, pseudo variables included.
    int variableOf(NodePtr identifier) const;
    /// True if the variable (not a pseudo one) keeps one value in this body.
    bool isConstant(int variable) const;

private:
    friend class FlowGraphBuilder;

    const Names& names_;
    int body_;
    bool isKnown_ = true;
    std::vector<Block> blocks_;
    std::vector<Place> places_;
    std::vector<Home> homes_;
};

}  // namespace hpcc::optimize
