// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 6 as a forward analysis: which variables are assigned, which statements are reached.
#pragma once

#include "check/flow/statement_walk.hpp"
#include "check/rules.hpp"

#include <map>
#include <optional>

namespace hpcc::check::flow {

// What the walk over one body has found; reported when the walk is over.
struct Finding {
    Id id;
    NodePtr place;
    const Symbol* variable = nullptr;  // unassigned variables
    std::size_t slot = 0;
    NodePtr cause = nullptr;  // unreachable statements
};

class Assignment : public StatementWalk {
public:
    explicit Assignment(const Context& context) : context_(context) {}

    // Whether the body could be followed; then findings() and end() tell what is so.
    bool run(NodePtr body) { return walkBody(body); }
    const std::vector<Finding>& findings() const { return findings_; }
    Reach end() const { return state.reach; }

private:
    enum class Passing { Value, Reference };

    // Statements (assignment.cpp).
    void expressionStatement(NodePtr expression) override;
    void declare(NodePtr declaration, NodePtr declarator) override;
    void opaque(NodePtr node) override;
    void unreachable(NodePtr statement, NodePtr cause) override;
    void walkBegins() override;
    std::size_t scopeOpens() override { return live_.size(); }
    void scopeCloses(std::size_t mark) override { live_.resize(mark); }
    std::size_t loopBegins() override {
        values_.clear();  // in the next round they may be others
        return findings_.size();
    }
    bool surelyHolds(NodePtr condition) override;
    void loopRepeats(std::size_t mark, const State& back) override;

    // Variables (assignment.cpp).
    std::size_t slotOf(const Symbol* symbol) const;  // live_.size() if it is not followed
    bool isFollowed(NodePtr name) const;
    void assign(const Symbol* symbol);
    void use(NodePtr name);
    std::optional<long long> valueOf(NodePtr expression) const;

    // Expressions, in the order in which they are evaluated (expressions.cpp).
    void evaluate(NodePtr expression) override;
    Branches test(NodePtr expression) override;
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
    void macro(NodePtr node);
    void argument(NodePtr expression, Passing passing);
    void arguments(NodePtr list, const std::vector<const Type*>& functions, Passing otherwise);
    void initializer(NodePtr node, const Type* type);
    Passing unknownPassing(NodePtr call) const;

    const Context& context_;
    std::vector<const Symbol*> live_;  // the variables followed; the position is the bit
    std::vector<Finding> findings_;
    // Of variables that were declared with a constant and not named since.
    std::map<const Symbol*, long long> values_;
};

}  // namespace hpcc::check::flow
