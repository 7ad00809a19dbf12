// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 8 in one function: which values differ between processes, which collectives are reached by
// some processes only.
//
// An abstract interpretation of the statements in the order in which they run. A condition that
// differs taints what is assigned under it (`guards_`); a jump under such a condition taints what
// follows, up to the place where it leads (State::left). Loops are walked until nothing changes.
#pragma once

#include "analysis/statement_forms.hpp"
#include "check/alignment/active_group.hpp"
#include "check/alignment/state.hpp"
#include "check/alignment/summaries.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace hpcc::check::alignment {

class Walk : analysis::StatementForms {
public:
    Walk(Summaries& summaries, NodePtr functionDefinition)
        : summaries_(summaries), function_(functionDefinition) {}

    Summary run();

private:
    // Statements (statements.cpp, jumps.cpp).
    void body(NodePtr node);
    void summarize();
    void statement(NodePtr node);
    struct LoopParts {
        NodePtr condition, step, body;
        bool testsFirst;
    };
    void loop(NodePtr node, const LoopParts& parts, const Coherence& rounds);
    void forgetDeclaredIn(NodePtr initializer);
    Coherence enterHeaders(NodePtr construct, NodePtr headers);
    void located(NodePtr construct, std::size_t depth, const Coherence& guard,
                 const std::function<void()>& inside);
    NodePtr labelPlace(std::string_view name);
    void leave(NodePtr target, NodePtr jump);
    void tryBlock(NodePtr node, NodePtr body, NodePtr handlers);
    void raise(NodePtr node);

    void statements(NodePtr list) override;
    void expressionStatement(NodePtr expression) override { evaluate(expression); }
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

    // Expressions: their coherence, and what they do to the state (expressions.cpp, objects.cpp).
    Coherence evaluate(NodePtr node);
    Coherence evaluateChildren(NodePtr node);
    Coherence test(NodePtr condition);
    Coherence under(NodePtr place, const Coherence& guard, NodePtr expression);
    Coherence assignment(NodePtr node);
    Coherence binary(NodePtr node);
    Coherence unary(NodePtr node);
    Coherence cast(NodePtr node);
    Coherence conditional(NodePtr node);
    Coherence subscript(NodePtr node);
    Coherence overallExpression(NodePtr node);
    Coherence initializer(NodePtr node);
    Coherence read(NodePtr name);
    void assign(NodePtr target, const Coherence& value);
    void assignSomeElement(const Symbol* symbol, const Coherence& value);
    bool mayDiffer(const Coherence& value) const;
    void loseSight(NodePtr expression);
    NodePtr composition(NodePtr given) const;
    Composed evaluateObject(NodePtr given, const Type* type);
    Composed putTogether(NodePtr values, const std::vector<std::string_view>& names);
    Composed withParts(NodePtr value, const Coherence& whole) const;
    std::optional<Coherence> resultPart(NodePtr access) const;
    void bind(NodePtr declarator, const Composed& object,
              const std::vector<std::string_view>& names);
    bool declareComposed(NodePtr node, NodePtr declarator, NodePtr given);
    std::vector<const Symbol*> boundNames(NodePtr declarator) const;
    void set(const Variable& variable, const Coherence& value);
    void forget(const Symbol* symbol);
    void forgetShared();
    bool isLocal(const Symbol* symbol) const;

    // Calls (calls.cpp, lambdas.cpp, members.cpp).
    Coherence call(NodePtr node);
    Coherence macro(NodePtr node);
    Coherence memberCall(NodePtr node, NodePtr callee);
    void standardChange(NodePtr base, std::string_view method,
                        const std::vector<Coherence>& arguments);
    Coherence runtimeMember(NodePtr node, NodePtr callee);
    Coherence adlibCall(NodePtr node, const std::string& name);
    Coherence oneSidedCall(NodePtr node, const std::string& name,
                           const std::vector<Coherence>& values);
    Coherence userCall(NodePtr node, const std::vector<const Symbol*>& functions,
                       NodePtr arguments);
    bool isDynamic(NodePtr call, const Symbol& function) const;
    Coherence virtualCall(NodePtr node, const Symbol& function, NodePtr arguments);
    Coherence summarized(NodePtr node, const Symbol& function, const Summary& summary,
                         NodePtr arguments);
    Coherence unknownCall(NodePtr arguments);
    Coherence libraryCall(NodePtr node);
    Coherence exchange(NodePtr node);
    Coherence construct(NodePtr place, const Type* type, NodePtr initializer);
    std::vector<Coherence> evaluateAll(NodePtr arguments);
    Coherence calledLambda(NodePtr call, NodePtr lambda);
    void giveBack(NodePtr lambda, NodePtr arguments);
    void storedLambda(NodePtr lambda);

    // Collectives (collectives.cpp).
    void collective(NodePtr place, const Collective& what);
    void containment(NodePtr place, const std::string& name, NodePtr argument);
    void equalArgument(NodePtr place, const std::string& name, NodePtr argument,
                       const Coherence& value, Id id = Id::DifferingArgument);
    void methodArguments(NodePtr node, const Symbol& method, NodePtr arguments,
                         const std::vector<Coherence>& values);
    struct Cause {
        NodePtr place;
        Coherence who;
        Id id;
        NodePtr branch = nullptr;  // of a jump
    };
    bool decides(NodePtr place, const Collective& what, const Cause& cause, bool isSure);
    void decideLater(NodePtr place, const Collective& what, const std::vector<Cause>& causes);
    void forgiveAlike(NodePtr condition, const std::vector<NodePtr>& alternatives);
    void find(Finding finding);
    const Source* differing(const SourceSet& value) const;

    // Sources (collectives.cpp).
    Coherence source(Source source);
    Coherence control() const;
    bool isTired() const;
    Coherence parametersIn(const Coherence& value) const;

    struct Guard {
        NodePtr place;
        Coherence who;
        bool mayPass = false;  // perhaps nobody comes by: an `if`, not a loop
    };
    void allAreGone(const State& before);
    // Where break, continue, return and throw lead.
    struct Target {
        NodePtr construct;
        NodePtr body;  // of a loop: continue ends it
        State broken, continued;
    };
    struct SwitchFrame {
        State entry, passed;
        bool hasDefault = false;
    };

    Summaries& summaries_;
    NodePtr function_;
    Summary summary_;
    State state_;
    std::vector<Source> sources_;
    std::vector<Guard> guards_;
    std::vector<Target> targets_;
    std::vector<SwitchFrame> switches_;
    ActiveGroup group_;
    std::optional<Composed> result_;                 // of the paths so far
    std::unordered_map<NodePtr, Composed> results_;  // of the calls that return objects
    std::size_t steps_ = 0;                          // statements walked, repetitions too
    std::unordered_map<const Symbol*, std::size_t> parameters_;
    std::map<std::string_view, State> labels_;
    std::optional<std::map<std::string_view, NodePtr>> labelPlaces_;  // once there is a `goto`
    std::set<const Symbol*> escaped_;                                 // changed by who knows whom
    std::set<const Symbol*> shared_;                                  // not of this function
    std::vector<NodePtr> lambdas_;                                    // being walked
    NodePtr storedLambda_ = nullptr;  // the outermost one that runs some time later
    std::set<NodePtr> found_;         // one message for a place
};

}  // namespace hpcc::check::alignment
