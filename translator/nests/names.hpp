// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// `s` of `s.t.a`.
ast::NodePtr rootOf(ast::NodePtr base);

/// A name that means something else inside of a nest than at its entry, where the fast form
/// evaluates it, or that stands for two variables of which one is assigned; null if there is none.
/// `outer`: what is assigned of variables that are known round the nest.
Obstacle ambiguousName(const Nest& nest, const Assignments& outer);

/// The variables that a statement declares.
std::set<const ast::Symbol*> variablesDeclaredIn(ast::NodePtr statement);

/// The names declared at a place, in all blocks round it.
class VisibleNames {
public:
    bool contains(std::string_view name) const {
        const auto found = counts_.find(name);
        return found != counts_.end() && found->second > 0;
    }
    void add(std::string_view name) {
        names_.push_back(name);
        ++counts_[name];
    }

    size_t size() const { return names_.size(); }
    /// Forgets those added since there were `size`: at the end of a block.
    void shrink(size_t size) {
        for (; names_.size() > size; names_.pop_back()) --counts_[names_.back()];
    }

private:
    std::vector<std::string_view> names_;  // in order
    std::unordered_map<std::string_view, int> counts_;
};

}  // namespace hpcc::nests
