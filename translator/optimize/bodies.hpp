// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass works on one body of a function after the other.
#pragma once

#include <deque>

#include "optimize/edits.hpp"
#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

/// What a pass on one body has to do with. It derives from this, says which bodies it concerns, and
/// changes one by `run`:
///
///     class Unroller : BodyPass {
///     public:
///         using BodyPass::BodyPass;
///         static bool concerns(const Body& body) { return body.hasLoops; }
///         void run();
///     };
class BodyPass {
public:
    BodyPass(Function& ofFunction, const FlowGraph& flow, Edits& changes,
             const ast::MacroNames& macroNames, const source::Text* program)
        : function(ofFunction), graph(flow), edits(changes), macros(macroNames), text(program) {}

protected:
    Function& function;
    const FlowGraph& graph;
    Edits& edits;  // ask the pass while they are made
    const ast::MacroNames& macros;
    const source::Text* text;  // of the program
};

/// The unit with the edits that the pass `Work` makes to all bodies that it concerns and that hold
/// no C++ that is not looked into.
template <class Work>
ast::Unit improveBodies(ast::Unit unit, ast::Quoter& quote, std::string_view pass) {
    const std::shared_ptr<ast::Whole> whole = unit.whole;
    const source::Text* text = unit.text;
    return improveFunctions(std::move(unit), quote, pass, [&](Function& function) {
        Edits edits(function);
        std::deque<FlowGraph> graphs;
        std::deque<Work> works;
        for (const Body& body : function.names().bodies()) {
            if (body.isOpaque) {
                function.leave(body.node);
            } else if (Work::concerns(body)) {
                const FlowGraph& graph = graphs.emplace_back(function.names(), body.node);
                works.emplace_back(function, graph, edits, whole->macros(), text).run();
            }
        }
        return edits.apply();
    });
}

}  // namespace hpcc::optimize
