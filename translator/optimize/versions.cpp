#include "optimize/versions.hpp"

#include <algorithm>

namespace hpcc::optimize {

Versions::Versions(const FlowGraph& graph) : graph_(graph), dominators_(graph) {
    for (const int block : dominators_.order()) {
        const auto& steps = graph.blocks()[static_cast<size_t>(block)].steps;
        for (size_t k = 0; k < steps.size(); ++k)
            for (const int variable : steps[k].defs) {
                if (variable >= firstVariable && graph.isConstant(variable)) continue;
                rows_[variable].in[block].push_back({static_cast<int>(k), 0});
            }
    }
    std::vector<int> exit(graph.blocks().size(), 0);
    for (auto& [variable, row] : rows_) {
        place(row);
        number(row, exit);
    }
}

/// Puts phi functions on the iterated dominance frontier of the definitions.
void Versions::place(Row& row) {
    std::vector<int> work;
    for (const auto& entry : row.in) work.push_back(entry.first);
    std::vector<bool> has(graph_.blocks().size(), false);
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
void Versions::number(Row& row, std::vector<int>& exit) {
    constexpr int meets = -2;
    row.entry.assign(graph_.blocks().size(), -1);
    for (const int block : row.phis) row.entry[static_cast<size_t>(block)] = meets;
    int next = 0;
    for (const int block : dominators_.order()) {
        const auto at = static_cast<size_t>(block);
        const int dominator = dominators_.immediate(block);
        int version = block == graph_.entry() ? 0 : exit[static_cast<size_t>(dominator)];
        if (row.entry[at] == meets) version = ++next;
        row.entry[at] = version;
        const auto definitions = row.in.find(block);
        if (definitions != row.in.end())
            for (Definition& definition : definitions->second)
                version = definition.version = ++next;
        exit[at] = version;
    }
}

int Versions::at(int block, int step, int variable) const {
    if (!isReached(block)) return -1;
    const auto found = rows_.find(variable);
    if (found == rows_.end()) return 0;
    const Row& row = found->second;
    int version = row.entry[static_cast<size_t>(block)];
    if (const auto definitions = row.in.find(block); definitions != row.in.end())
        for (const Definition& definition : definitions->second)
            if (definition.step < step) version = definition.version;
    return version;
}

bool Versions::sameBefore(int place, int block, int step, const std::vector<int>& variables) const {
    for (const int variable : variables) {
        if (variable >= firstVariable && !graph_.isDeclaredBefore(variable, place)) return false;
        if (at(graph_.place(place), variable) != at(block, step, variable)) return false;
    }
    return true;
}

std::vector<int> Versions::phis(int variable) const {
    const auto found = rows_.find(variable);
    return found == rows_.end() ? std::vector<int>{} : found->second.phis;
}

}  // namespace hpcc::optimize
