// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ast/effects.hpp"
#include "ast/whole.hpp"
#include "lower/demand.hpp"

namespace hpcc::lower {

/// What code may change of the things that a check reads.
class Changes {
public:
    explicit Changes(const ast::Whole& whole) : whole_(whole) {}

    /// Inside a counting loop: no call changes its variable.
    void enterCounter(std::string name) { counters_.push_back(std::move(name)); }
    void leaveCounter() { counters_.pop_back(); }

    /// What a loop does: one that a macro writes may declare any name that it mentions.
    ast::Effects ofLoop(ast::NodePtr loop) const;

    using Effects = std::span<const ast::Effects>;  // of code in several parts

    /// True if code with these effects may change what the check reads, sequential subscripts
    /// aside.
    bool touch(Effects effects, const Demand& demand) const;

    /// True if the check stays valid before such code. Sequential subscripts that do not are
    /// forgotten.
    bool survives(Effects effects, Demand& demand) const;
    bool survives(const ast::Effects& effects, Demand& demand) const {
        return survives(Effects(&effects, 1), demand);
    }

private:
    using Names = std::unordered_set<std::string_view>;

    bool mayChange(const ast::Effects& effects, const Names& names) const;
    bool isAssignedAnywhere(const Names& names) const;

    const ast::Whole& whole_;  // what functions may assign
    std::vector<std::string> counters_;
};

/// The effects of each statement of a list, computed when asked for.
class EffectsOfEach {
public:
    explicit EffectsOfEach(std::span<const ast::NodePtr> statements)
        : statements_(statements), effects_(statements.size()) {}

    ast::NodePtr statement(size_t k) const { return statements_[k]; }
    const ast::Effects& operator[](size_t k) {
        if (!effects_[k]) effects_[k] = ast::effectsOf(statements_[k]);
        return *effects_[k];
    }

private:
    std::span<const ast::NodePtr> statements_;
    std::vector<std::optional<ast::Effects>> effects_;
};

}  // namespace hpcc::lower
