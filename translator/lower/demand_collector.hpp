// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

#include "ast/macro_names.hpp"
#include "ast/visitor.hpp"
#include "lower/demand.hpp"

namespace hpcc::lower {

/// Finds the accesses of an expression, and which of them are certain to happen.
class DemandCollector : public ast::Visitor {
public:
    /// `active`: the constructs round the expression, outermost first. `onFunction` is called with
    /// the body of each lambda or member function inside: another function, run at another time.
    DemandCollector(std::deque<Construct>& constructs, std::vector<const Construct*> active,
                    const ast::MacroNames& macros, std::function<void(ast::NodePtr)> onFunction)
        : constructs_(constructs),
          active_(std::move(active)),
          macros_(macros),
          onFunction_(std::move(onFunction)) {}

    /// From here on accesses may or may not happen.
    void setConditional() { ++conditional_; }

    const Demands& demands() const { return demands_; }
    const Demands& uncertain() const { return uncertain_; }

    void visitSubscript(ast::NodePtr node) override;
    void visitMember(ast::NodePtr node) override;
    void visitAssign(ast::NodePtr node) override;
    void visitBinary(ast::NodePtr node) override;
    void visitConditional(ast::NodePtr node) override;
    void visitCall(ast::NodePtr node) override;
    void visitOverallExpression(ast::NodePtr node) override;
    void visitLambda(ast::NodePtr node) override;
    void visitFunctionDefinition(ast::NodePtr node) override;
    void visitSizeof(ast::NodePtr) override {}
    void visitNoexcept(ast::NodePtr) override {}
    void visitDecltypeType(ast::NodePtr) override {}

private:
    void visitConditionally(ast::NodePtr node);
    const Construct* constructOf(std::string_view index) const;
    ast::NodePtr tripletInExpression(const Construct* over) const;
    void consider(ast::NodePtr access);
    void notePart(ast::NodePtr outer, bool isExact);
    ElementPart partOf(ast::NodePtr access) const;

    std::deque<Construct>& constructs_;
    std::vector<const Construct*> active_;
    const ast::MacroNames& macros_;
    std::function<void(ast::NodePtr)> onFunction_;
    int conditional_ = 0;
    int inMacro_ = 0;
    size_t expressionConstructs_ =
        0;  // of active_, the last so many belong to `overall` expressions
    std::unordered_map<ast::NodePtr, ElementPart> parts_;  // of elements, by access
    Demands demands_;
    Demands uncertain_;  // of accesses that may or may not happen
};

}  // namespace hpcc::lower
