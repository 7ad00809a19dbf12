// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/guards.hpp"

#include <algorithm>

#include "ast/purity.hpp"

namespace hpcc::analysis {

using ast::Kind;

namespace {

bool leavesIteration(NodePtr statement) {
    if (ast::is<ast::Compound>(statement))
        return !statement->children().empty() && leavesIteration(statement->children().back());
    return ast::is<ast::Continue>(statement) || ast::is<ast::Break>(statement) ||
           ast::is<ast::Return>(statement);
}

// What holds behind `if (c) { ..; continue; }`, or `if (c) ..; else continue;`.
void addSkip(std::vector<Guard>& guards, NodePtr statement) {
    if (!ast::is<ast::If>(statement)) return;
    const NodePtr condition = statement->child(ast::If::condition);
    if (leavesIteration(statement->child(ast::If::then)))
        guards.push_back({statement, condition, false});
    else if (leavesIteration(statement->child(ast::If::otherwise)))
        guards.push_back({statement, condition, true});
}

bool isLabel(NodePtr node) { return ast::is<ast::Case>(node) || ast::is<ast::Default>(node); }

bool hasOneValue(NodePtr label) {
    return ast::is<ast::Case>(label) && !label->child(ast::Case::last);
}

bool leavesSwitch(NodePtr statement) {
    if (ast::is<ast::Compound>(statement))
        return !statement->children().empty() && leavesSwitch(statement->children().back());
    return ast::is<ast::Break>(statement) || ast::is<ast::Continue>(statement);
}

// The only value for which control comes from the switch at path[k] to the end of the path; null
// if there may be others.
NodePtr onlyCase(const std::vector<NodePtr>& path, std::size_t k) {
    if (k + 2 >= path.size() || !ast::is<ast::Compound>(path[k + 1])) return nullptr;
    int values = 0;  // since the last statement that leaves the switch
    NodePtr value = nullptr;
    for (NodePtr each : path[k + 1]->children()) {
        NodePtr statement = each;
        for (; isLabel(statement); statement = statement->children().back()) {
            values += hasOneValue(statement) ? 1 : 2;  // at least
            if (hasOneValue(statement)) value = statement->child(ast::Case::value);
        }
        if (each == path[k + 2]) {
            const bool isOnly =
                values == 1 && std::none_of(path.begin() + k + 3, path.end(), isLabel);
            return isOnly ? value : nullptr;
        }
        if (leavesSwitch(statement)) values = 0;
    }
    return nullptr;
}

// Those of the statements before `end`.
void addSkipsBefore(NodePtr end, NodePtr block, Skips& skips, std::vector<Guard>& guards) {
    const std::vector<Guard>& all = skips.of(block);
    if (all.empty()) return;
    auto next = all.begin();
    for (const NodePtr each : block->children()) {
        if (each == end || next == all.end()) return;
        if (next->owner == each) guards.push_back(*next++);
    }
}

}  // namespace

const std::vector<Guard>& Skips::of(NodePtr block) {
    const auto [place, isNew] = known_.try_emplace(block);
    if (isNew)
        for (const NodePtr each : block->children()) addSkip(place->second, each);
    return place->second;
}

Guards guardsOn(const std::vector<NodePtr>& path, Skips& skips) {
    Guards result;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const NodePtr node = path[k], inside = path[k + 1];
        switch (node->kind()) {
        case Kind::If:
            if (inside == node->child(ast::If::condition)) break;
            result.all.push_back(
                {node, node->child(ast::If::condition), inside == node->child(ast::If::then)});
            break;
        case Kind::Conditional:
            if (inside == node->child(ast::Conditional::condition)) break;
            result.all.push_back({node, node->child(ast::Conditional::condition),
                                  inside == node->child(ast::Conditional::then)});
            break;
        case Kind::Compound:
            addSkipsBefore(inside, node, skips, result.all);
            break;
        case Kind::Binary:
            result.isConditional |= ast::isShortCircuit(node);
            break;
        case Kind::Switch:
            if (const NodePtr value = onlyCase(path, k))
                result.all.push_back({node, node->child(ast::Switch::condition), true, value});
            result.isConditional = true;
            break;
        case Kind::For:
        case Kind::While:
        case Kind::DoWhile:
        case Kind::RangeFor:
        case Kind::Try:
        case Kind::Lambda:
        case Kind::MacroStatement:
        case Kind::At:
            result.isConditional = true;
            break;
        default:
            break;
        }
    }
    return result;
}

}  // namespace hpcc::analysis
