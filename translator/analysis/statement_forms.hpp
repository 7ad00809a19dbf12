// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of statements, for walks that follow the control flow: each form has a function.
#pragma once

#include "ast/node.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

class StatementForms {
protected:
    virtual ~StatementForms() = default;

    // Calls the function of the form; empty statements, local classes and `using` have none.
    void dispatch(NodePtr node);

    virtual void statements(NodePtr list) = 0;
    virtual void expressionStatement(NodePtr expression) = 0;
    virtual void declare(NodePtr declaration, NodePtr declarator) = 0;
    virtual void branch(NodePtr node) = 0;
    virtual void whileLoop(NodePtr node) = 0;
    virtual void doLoop(NodePtr node) = 0;
    virtual void forLoop(NodePtr node) = 0;
    virtual void rangeLoop(NodePtr node) = 0;
    virtual void macroStatement(NodePtr node) = 0;
    virtual void on(NodePtr node) = 0;
    virtual void at(NodePtr node) = 0;
    virtual void overall(NodePtr node) = 0;
    virtual void switchStatement(NodePtr node) = 0;
    virtual void caseLabel(NodePtr node) = 0;  // `default`, too
    virtual void label(NodePtr node) = 0;
    virtual void jump(NodePtr node) = 0;  // return, break, continue, goto
    virtual void tryStatement(NodePtr node) = 0;
    virtual void opaqueStatement(NodePtr node) = 0;  // C++ that the grammar does not know
};

/// True if control may leave `node` sideways, so that what follows it is not reached.
bool mayLeave(ast::NodePtr node, bool inLoop = false);

/// True for what does nothing but what its parts do.
bool isMadeOfParts(ast::NodePtr node);

}  // namespace hpcc::analysis
