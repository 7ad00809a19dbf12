// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 6 as a forward analysis: which variables are assigned, which statements are reached.
//
// The walk follows the statements in the order in which they run, and joins the states where paths
// meet. Each statement is walked once, so the cost is linear: the sets of a state only grow along a
// path, and a loop adds to the state at its head only what loopRepeats makes of it. Labels that are
// jumped to backwards are the exception: then the body is walked again, a few times.
#pragma once

#include "analysis/statement_forms.hpp"
#include "check/flow/state.hpp"
#include "check/rules.hpp"

#include <map>

namespace hpcc::check::flow {

// What the walk over one body has found; reported when the walk is over.
struct Finding {
    Id id;
    NodePtr place;
    const Symbol* variable = nullptr;  // unassigned variables
    std::size_t slot = 0;
    NodePtr cause = nullptr;  // unreachable statements
};

class Assignment : analysis::StatementForms {
public:
    explicit Assignment(const Context& context) : context_(context) {}

    // Whether the body could be followed: its gotos are not too involved. Then findings() and end()
    // tell what is so.
    bool run(NodePtr body);
    const std::vector<Finding>& findings() const { return findings_; }
    Reach end() const { return state_.reach; }

private:
    enum class Passing { Value, Reference };
    struct Branches {
        State whenTrue, whenFalse;
    };
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

    // Statements (statements.cpp).
    void statement(NodePtr node);
    void directives(std::string_view gap);
    void mayLeave();  // a macro may break, continue or return
    Branches condition(NodePtr expression);
    State loopBody(NodePtr node, NodePtr body, std::size_t mark, NodePtr step);
    void testedLoop(NodePtr node, NodePtr test, NodePtr body, NodePtr step);
    void repeated(NodePtr node, NodePtr body);
    void tryBlock(NodePtr body, NodePtr handlers);

    void statements(NodePtr list) override;
    void expressionStatement(NodePtr expression) override;
    void declare(NodePtr declaration, NodePtr declarator) override;
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

    // Variables (assignment.cpp).
    std::size_t slotOf(const Symbol* symbol) const;  // live_.size() if it is not followed
    bool isFollowed(NodePtr name) const;
    void assign(const Symbol* symbol);
    void use(NodePtr name);
    bool surelyHolds(NodePtr condition) const;  // for the values that variables have here
    std::size_t loopBegins();                   // also at labels; returns a mark for loopRepeats
    void loopRepeats(std::size_t mark, const State& back);

    // Expressions, in the order in which they are evaluated (expressions.cpp).
    void evaluate(NodePtr expression);
    void evaluateChildren(NodePtr node);
    void assignment(NodePtr node);
    void binary(NodePtr node);
    void unary(NodePtr node);
    void conditional(NodePtr node);
    void lambda(NodePtr node);
    void overallExpression(NodePtr node);
    void assignNamesIn(NodePtr node);

    // Calls (calls.cpp).
    void call(NodePtr node);
    Branches test(NodePtr expression);  // a condition without && || !
    void macro(NodePtr node);
    void argument(NodePtr expression, Passing passing);
    void arguments(NodePtr list, const std::vector<const Type*>& functions, Passing otherwise);
    void initializer(NodePtr node, const Type* type);
    Passing unknownPassing(NodePtr call) const;

    const Context& context_;
    State state_;
    Bits everTouched_;                 // anywhere up to here, for handlers of exceptions
    int directiveDepth_ = 0;           // #if around the place, within the body
    std::vector<const Symbol*> live_;  // the variables followed; the position is the bit
    std::vector<Finding> findings_;
    // Of variables that were declared with a constant and not named since.
    std::map<const Symbol*, long long> values_;
    std::vector<Target> targets_;
    std::vector<SwitchFrame> switches_;
    std::map<std::string_view, State> labels_;  // joined over the gotos seen so far
    bool labelsChanged_ = false;
};

}  // namespace hpcc::check::flow
