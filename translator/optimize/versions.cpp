// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/versions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hpcc::optimize {

Versions::Versions(const FlowGraph& graph)
    : graph_(graph),
      dominators_(graph),
      rowNumbers_(static_cast<size_t>(graph.names().size()) + firstVariable, -1) {
    const std::vector<int>& order = dominators_.order();
    for (size_t position = 0; position < order.size(); ++position) {
        const auto& steps = graph.blocks()[static_cast<size_t>(order[position])].steps;
        for (size_t k = 0; k < steps.size(); ++k)
            for (const int variable : steps[k].defs) {
                if (variable >= firstVariable && graph.isConstant(variable)) continue;
                rowOf(variable).in.push_back({static_cast<int>(position), static_cast<int>(k), 0});
            }
    }
    const size_t blocks = graph.blocks().size();
    entries_.assign(rows_.size() * blocks, -1);
    std::vector<int> exit(blocks, 0);
    std::vector<bool> has;
    for (size_t row = 0; row < rows_.size(); ++row) {
        has.assign(blocks, false);
        place(rows_[row], has);
        number(rows_[row], entriesOf(row), exit);
    }
}

Versions::Row& Versions::rowOf(int variable) {
    int& number = rowNumbers_[static_cast<size_t>(variable)];
    if (number < 0) {
        number = static_cast<int>(rows_.size());
        rows_.emplace_back();
    }
    return rows_[static_cast<size_t>(number)];
}

/// Puts phi functions on the iterated dominance frontier of the definitions. `has` is memory for
/// who has one.
void Versions::place(Row& row, std::vector<bool>& has) const {
    boost::container::small_vector<int, 16> work;
    for (const Definition& definition : row.in)
        work.push_back(dominators_.order()[static_cast<size_t>(definition.position)]);
    while (!work.empty()) {
        const int block = work.back();
        work.pop_back();
        for (const int meeting : dominators_.frontier(block)) {
            if (has[static_cast<size_t>(meeting)]) continue;
            has[static_cast<size_t>(meeting)] = true;
            row.phis.push_back(meeting);
            work.push_back(meeting);
        }
    }
}

/// Gives numbers, each block after the one that dominates it. The value at the function's entry is
/// version 0. `exit` is memory for the version at the end of each block.
void Versions::number(Row& row, std::span<int> entry, std::vector<int>& exit) const {
    constexpr int meets = -2;
    for (const int block : row.phis) entry[static_cast<size_t>(block)] = meets;
    int next = 0, position = 0;
    auto definition = row.in.begin();
    for (const int block : dominators_.order()) {
        const auto at = static_cast<size_t>(block);
        const int dominator = dominators_.immediate(block);
        int version = block == graph_.entry() ? 0 : exit[static_cast<size_t>(dominator)];
        if (entry[at] == meets) version = ++next;
        entry[at] = version;
        for (; definition != row.in.end() && definition->position == position; ++definition)
            version = definition->version = ++next;
        exit[at] = version;
        ++position;
    }
}

int Versions::at(int block, int step, int variable) const {
    if (!isReached(block)) return -1;
    const int number = rowNumbers_[static_cast<size_t>(variable)];
    if (number < 0) return 0;
    const auto row = static_cast<size_t>(number);
    const auto& in = rows_[row].in;
    // The last one before the step.
    const int position = dominators_.position(block);
    const auto next = std::ranges::lower_bound(
        in, std::pair(position, step), {},
        [](const Definition& each) { return std::pair(each.position, each.step); });
    if (next != in.begin() && std::prev(next)->position == position)
        return std::prev(next)->version;
    return entries_[row * graph_.blocks().size() + static_cast<size_t>(block)];
}

Variables Versions::at(int block, int step, const Variables& variables) const {
    Variables versions;
    for (const int variable : variables) versions.push_back(at(block, step, variable));
    return versions;
}

bool Versions::sameBefore(int place, int block, int step, const Variables& variables) const {
    for (const int variable : variables) {
        if (variable >= firstVariable && !graph_.isDeclaredBefore(variable, place)) return false;
        if (at(graph_.place(place), variable) != at(block, step, variable)) return false;
    }
    return true;
}

Links Versions::phis(int variable) const {
    const int number = rowNumbers_[static_cast<size_t>(variable)];
    return number < 0 ? Links{} : rows_[static_cast<size_t>(number)].phis;
}

}  // namespace hpcc::optimize
