// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas: those called by name are walked at each call, others as functions of unknown callers.
#include "ast/symbol.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check::alignment {
namespace {

constexpr std::size_t deepestCalls = 6;

}  // namespace

Coherence Walk::calledLambda(NodePtr call, NodePtr lambda) {
    const NodePtr arguments = call->child(ast::Call::arguments);
    const std::vector<Coherence> values = evaluateAll(arguments);
    const bool isRecursive = std::ranges::find(lambdas_, lambda) != lambdas_.end();
    if (isRecursive || lambdas_.size() >= deepestCalls || isTired()) return {};
    if (const NodePtr parameters = lambda->child(ast::Lambda::parameters)) {
        for (std::size_t k = 0; k < parameters->children().size(); ++k) {
            const Symbol* symbol = parameters->child(static_cast<uint32_t>(k))->symbol;
            if (!symbol) continue;
            forget(symbol);
            set({symbol, ""}, (k < values.size() ? values[k] : Coherence()) | control());
        }
    }
    const std::optional<Composed> outer = std::exchange(result_, std::nullopt);
    lambdas_.push_back(lambda);
    targets_.push_back({lambda, nullptr, State::never(), State::never()});
    statement(lambda->child(ast::Lambda::body));
    state_.join(targets_.back().broken, control().surely);
    targets_.pop_back();
    lambdas_.pop_back();
    state_.comeBack(lambda);
    giveBack(lambda, arguments);
    results_[call] = std::exchange(result_, outer).value_or(Composed());
    return results_[call].whole;
}

// What the lambda has made of the arguments that it takes by reference.
void Walk::giveBack(NodePtr lambda, NodePtr arguments) {
    const NodePtr parameters = lambda->child(ast::Lambda::parameters);
    if (!parameters || !arguments) return;
    const auto given = arguments->children();
    for (std::size_t k = 0; k < parameters->children().size() && k < given.size(); ++k) {
        const Symbol* symbol = parameters->child(static_cast<uint32_t>(k))->symbol;
        const bool isChanged =
            symbol && symbol->type && symbol->type->isReference && !symbol->type->isConst;
        if (!isChanged || isKind(given[k], TypeKind::Multiarray)) continue;
        if (!state_.values.partsOf(symbol).empty() || !placeOf(bare(given[k])))
            loseSight(given[k]);
        else
            assign(given[k], state_.values.of({symbol, ""}));
    }
}

// Who calls it, where and how often is not known: what it assigns is no longer followed, and only
// conditions inside of it count.
void Walk::storedLambda(NodePtr lambda) {
    const bool isRecursive = std::ranges::find(lambdas_, lambda) != lambdas_.end();
    if (isRecursive || lambdas_.size() >= deepestCalls) return;
    const State before = state_;
    auto guards = std::exchange(guards_, {});
    auto targets = std::exchange(targets_, {});
    auto switches = std::exchange(switches_, {});
    const std::optional<Composed> result = std::exchange(result_, std::nullopt);
    const NodePtr outermost = storedLambda_;
    if (!storedLambda_) storedLambda_ = lambda;
    state_.left.clear();
    state_.values.eraseIf([](const Variable& each) { return each.symbol->isReassigned; });
    lambdas_.push_back(lambda);
    targets_.push_back({lambda, nullptr, State::never(), State::never()});
    statement(lambda->child(ast::Lambda::body));
    lambdas_.pop_back();
    storedLambda_ = outermost;
    guards_ = std::move(guards);
    targets_ = std::move(targets);
    switches_ = std::move(switches);
    result_ = result;
    state_ = before;
    for (const Symbol* each : escaped_) state_.values.erase(each);
}

}  // namespace hpcc::check::alignment
