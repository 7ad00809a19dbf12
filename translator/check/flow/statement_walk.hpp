// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control flow of one function body, for a forward analysis.
//
// The walk follows the statements in the order in which they run, and joins the states where paths
// meet. An analysis derives from it and says what expressions and declarations do to `state`.
// Each statement is walked once, so the cost is linear: the sets of a state only grow along a path,
// and a loop adds to the state at its head only what its analysis hears of in loopRepeats. Labels
// that are jumped to backwards are the exception: then the body is walked again, a few times.
#pragma once

#include "analysis/statement_forms.hpp"
#include "check/flow/state.hpp"

#include <map>
#include <string_view>
#include <vector>

namespace hpcc::check::flow {

class StatementWalk : protected analysis::StatementForms {
protected:
    struct Branches {
        State whenTrue, whenFalse;
    };

    // Walks a body from its beginning; false if its gotos are too involved to be followed.
    bool walkBody(NodePtr body);

    Branches condition(NodePtr expression);

    // A macro may break, continue or return.
    void mayLeave();

    // What the analysis says of the leaves; each changes `state`.
    virtual void evaluate(NodePtr expression) = 0;
    virtual Branches test(NodePtr expression) = 0;  // a condition without && || !
    virtual void opaque(NodePtr node) = 0;
    virtual void unreachable(NodePtr statement, NodePtr cause) = 0;
    virtual void walkBegins() = 0;         // before each walk over the body
    virtual std::size_t scopeOpens() = 0;  // returns a mark for scopeCloses
    virtual void scopeCloses(std::size_t mark) = 0;
    virtual std::size_t loopBegins() = 0;  // also at labels; returns a mark for loopRepeats
    virtual bool surelyHolds(NodePtr condition) = 0;  // for the values that variables have here
    virtual void loopRepeats(std::size_t mark, const State& back) = 0;

    State state;
    Bits everTouched;        // anywhere up to here, for handlers of exceptions
    int directiveDepth = 0;  // #if around the place, within the body

private:
    // Where break and continue lead.
    struct Target {
        NodePtr construct;
        bool takesContinue;
        State broken, continued;
    };
    struct SwitchFrame {
        State entry;
        bool hasDefault = false;
        std::vector<const Symbol*> covered;
    };

    void statement(NodePtr node);
    void directives(std::string_view gap);
    State loopBody(NodePtr node, NodePtr body, std::size_t mark, NodePtr step);
    void testedLoop(NodePtr node, NodePtr test, NodePtr body, NodePtr step);
    void repeated(NodePtr node, NodePtr body);
    void tryBlock(NodePtr body, NodePtr handlers);

    void statements(NodePtr list) override;
    void branch(NodePtr node) override;
    void whileLoop(NodePtr node) override;
    void doLoop(NodePtr node) override;
    void forLoop(NodePtr node) override;
    void rangeLoop(NodePtr node) override;
    void macroStatement(NodePtr node) override;
    void on(NodePtr node) override;
    void at(NodePtr node) override;
    void overall(NodePtr node) override;
    void switchStatement(NodePtr node) override;
    void caseLabel(NodePtr node) override;
    void label(NodePtr node) override;
    void jump(NodePtr node) override;
    void tryStatement(NodePtr node) override;
    void opaqueStatement(NodePtr node) override;

    std::vector<Target> targets_;
    std::vector<SwitchFrame> switches_;
    std::map<std::string_view, State> labels_;  // joined over the gotos seen so far
    bool labelsChanged_ = false;
};

}  // namespace hpcc::check::flow
