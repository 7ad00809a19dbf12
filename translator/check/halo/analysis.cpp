// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/analysis.hpp"

#include "ast/effects.hpp"
#include "ast/symbol.hpp"
#include "check/flow/graph.hpp"
#include "check/halo/transfer.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

constexpr std::size_t mostRounds = 40;

// The states at the beginning of each block; empty if they do not settle.
std::vector<State> settle(const flow::Graph& graph, const State& begin, Transfer& transfer) {
    const std::size_t count = graph.blocks.size();
    std::vector<State> before(count);
    before[0] = begin;
    std::vector<bool> isWaiting(count);
    isWaiting[0] = true;
    std::size_t first = 0;  // none before it is waiting
    for (std::size_t steps = 0; first < count; ++steps) {
        if (steps > mostRounds * count) return {};
        const std::size_t block = first;
        isWaiting[block] = false;
        transfer.state = before[block];
        for (const flow::Step& step : graph.blocks[block].steps) transfer.run(step);
        for (const int successor : graph.blocks[block].successors) {
            const auto next = static_cast<std::size_t>(successor);
            if (!before[next].merge(transfer.state)) continue;
            isWaiting[next] = true;
            first = std::min(first, next);
        }
        while (first < count && !isWaiting[first]) ++first;
    }
    return before;
}

// Whether each block comes behind those that lead to it: then one round sees the final states.
bool hasNoLoops(const flow::Graph& graph) {
    for (std::size_t block = 0; block < graph.blocks.size(); ++block)
        for (const int next : graph.blocks[block].successors)
            if (static_cast<std::size_t>(next) <= block) return false;
    return true;
}

// A macro as a statement may exchange ghost cells of arrays that the function does not name.
bool holdsMacro(const flow::Graph& graph) {
    return std::ranges::any_of(graph.blocks, [](const auto& block) {
        return std::ranges::any_of(block.steps, [](const flow::Step& step) {
            return step.kind == flow::Step::Kind::Opaque && ast::isUnknownName(step.node);
        });
    });
}

State initialState(const Handles& handles, Transfer& transfer) {
    transfer.state = State(handles.count());
    for (std::size_t h = 0; h < handles.count(); ++h)
        if (handles.isOuter(h) && !handles.isTwin(h)) transfer.outer(h);
    return transfer.state;
}

// Which effect's array a handle names at the end.
std::size_t namedAtEnd(std::size_t handle, const State& end, const Handles& handles,
                       const std::vector<std::size_t>& outer) {
    const int storage = end.storageOf(handle);
    if (!handles.isOfOthers(handle) || storage == end.storageOf(handles.twin(handle)))
        return Effect::itself;
    for (std::size_t k = 0; k < outer.size(); ++k)
        if (!end.isPart(handle) && end.storageOf(handles.twin(outer[k])) == storage) return k;
    return Effect::unknown;
}

void summarize(const Handles& handles, const State& end, Transfer& transfer, Summary& summary) {
    std::vector<std::size_t> outer;
    for (std::size_t h = 0; h < handles.count(); ++h)
        if (handles.isOuter(h) && !handles.isTwin(h)) outer.push_back(h);
    std::vector<Effect> effects;
    for (const std::size_t h : outer) {
        Effect effect = transfer.effectOf(handles.twin(h));
        if (end.isReached()) {
            const Storage& storage = end[end.storageOf(handles.twin(h))];
            effect.after = storage.fresh;
            effect.isEscaped = storage.isEscaped;
            effect.names = namedAtEnd(h, end, handles, outer);
        }
        effects.push_back(std::move(effect));
    }
    summary.effects = std::move(effects);
}

}  // namespace

Result analyse(NodePtr function, Results& results) {
    Result result;
    const bool isLambda = function->is<ast::Lambda>();
    const NodePtr body =
        function->child(isLambda ? +ast::Lambda::body : +ast::FunctionDefinition::body);
    if (!ast::is<ast::Compound>(body) && !ast::is<ast::FunctionTry>(body)) return result;
    const Handles handles(function);
    if (handles.areTooMany()) return result;
    const flow::Graph graph = flow::flowGraph(body);
    Transfer transfer(body, handles, graph, results, result.summary);
    const State begin = initialState(handles, transfer);
    const bool isSettledAtOnce = hasNoLoops(graph);
    if (isSettledAtOnce) transfer.findings = &result.findings;
    const std::vector<State> before = settle(graph, begin, transfer);
    if (before.empty()) return result;
    transfer.findings = &result.findings;
    for (std::size_t block = 0; block < before.size() && !isSettledAtOnce; ++block) {
        if (!before[block].isReached()) continue;
        transfer.state = before[block];
        for (const flow::Step& step : graph.blocks[block].steps) transfer.run(step);
    }
    summarize(handles, before[graph.exit], transfer, result.summary);
    result.isKnown = !holdsMacro(graph);
    return result;
}

}  // namespace hpcc::check::halo
