// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks and edges of a body's flow graph. The client derives from it, stores the blocks and
// says what their steps are.
//
//     S; if (c) T; else U; V;           block 0: S, c; goes to 2 and 3
//                                       block 1: V
//                                       block 2: T; goes to 1
//                                       block 3: U; goes to 1
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "analysis/statement_forms.hpp"

namespace hpcc::analysis {

class FlowGraphBuilder : protected StatementForms {
protected:
    static constexpr int nowhere = -1;

    /// Where the jumps out of a loop or `switch` lead.
    struct Target {
        NodePtr construct;
        int atBreak, atContinue;
        size_t alive;  // so many objects
    };
    struct Switch {
        NodePtr node;
        int dispatch;                 // the block that goes to the labels
        std::vector<NodePtr> labels;  // so far
    };
    struct Outcome {
        bool mayHold = true, mayFail = true;
    };

    // ---- what the client stores ----
    virtual int newBlock() = 0;  // its number: one more than that of the last one
    virtual void addEdge(int from, int to) = 0;

    // ---- the client's steps, at the end of the block `here()` ----
    virtual void statement(NodePtr node) = 0;  // calls dispatch
    virtual void initializer(NodePtr node) = 0;
    /// A condition, or what a `switch` asks: an expression or declaration.
    virtual Outcome condition(NodePtr node, bool isRepeated) = 0;
    virtual void evaluate(NodePtr expression, bool isRepeated) = 0;
    virtual void bind(NodePtr rangeFor) = 0;                     // an iteration's own variable
    virtual void leave(NodePtr jump, const Target* target) = 0;  // null: none, or `return`, `goto`

    // ---- what only some ask for ----
    /// One side of an `if` begins, or the code behind a label of a `switch`.
    virtual void beginSide(NodePtr /*construct*/, NodePtr /*condition*/) {}
    virtual void conditional(NodePtr /*condition*/, NodePtr body) { statement(body); }
    virtual void repeated(NodePtr body) { statement(body); }
    virtual void guarded(NodePtr body) { statement(body); }  // by the handlers of a `try`
    /// Behind an `if`, `switch` (with its condition) or loop.
    virtual void behind(NodePtr /*construct*/, NodePtr /*condition*/) {}
    /// The body of the `try` is in the blocks from `first` to before `end`.
    virtual void beginHandler(NodePtr /*handler*/, int /*first*/, int /*end*/) {}
    virtual bool runsOnce(NodePtr /*forLoop*/) { return false; }  // at least
    virtual bool mayMatchNoLabel(const Switch&) { return true; }
    virtual size_t alive() const { return 0; }

    /// `sidesOfIf`: an `if` without `else` has a block for the other side, too.
    explicit FlowGraphBuilder(bool sidesOfIf) : hasBothSides_(sidesOfIf) {}

    int here();  // the present block; a new one where none is reached
    void connect(int from, int to);
    int follow();  // a new block behind the present one
    void tryBlock(NodePtr body, NodePtr handlers);
    void loopWithoutTest(NodePtr node, NodePtr body);
    /// Where `break` or `continue` leads; null if the construct is not seen (a macro's).
    const Target* targetOf(bool isContinue) const;

    void branch(NodePtr node) override;
    void whileLoop(NodePtr node) override;
    void doLoop(NodePtr node) override;
    void forLoop(NodePtr node) override;
    void rangeLoop(NodePtr node) override;
    void switchStatement(NodePtr node) override;
    void caseLabel(NodePtr node) override;
    void label(NodePtr node) override;
    void jump(NodePtr node) override;
    void tryStatement(NodePtr node) override;

    int current = nowhere;  // the block being filled
    int exit = nowhere;     // where `return` leads, if somewhere

private:
    int side(NodePtr construct, NodePtr condition, NodePtr body, int after);
    void loopBody(NodePtr node, NodePtr body, int atBreak, int atContinue);
    int labelled(std::string_view name);

    bool hasBothSides_;
    std::vector<Target> targets_;
    std::vector<Switch> switches_;
    std::map<std::string_view, int> labels_;
};

}  // namespace hpcc::analysis
