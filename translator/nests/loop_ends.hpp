// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "nests/reaches.hpp"

namespace hpcc::nests {

/// Does the expression call anything?
bool holdsCall(ast::NodePtr expression);

/// The last value of a counting loop's variable, if it is an integer: `hpspmd::Index(n) - 1` of
/// `k < n`. `end` stands for what the variable is compared with.
ast::NodePtr lastOf(Context& context, const Loop& loop, ast::NodePtr end);

/// The ends of counting loops that are inquiries, as constants of the fast form: the C++ compiler
/// does not know that they always give the same.
class LoopEnds {
public:
    LoopEnds(Context& context, const Nest& nest, const Reaches& reaches);

    /// Has the end of this loop a constant?
    bool has(const Loop& loop) const { return names_.contains(&loop); }

    /// Its name, to be mentioned; "" if there is none.
    std::string nameOf(const Loop& loop);

    /// A copy of the loop, compared with the constant if there is one.
    ast::NodePtr inPlaceOf(const Loop& loop, ast::NodePtr copy);

    /// The declarations of those that are mentioned: `const auto k_end = a.size(1);`
    std::vector<ast::NodePtr> constants() const;

private:
    bool asksNestOnly(ast::NodePtr expression) const;

    Context& context_;
    const Nest& nest_;
    const Reaches& reaches_;
    std::unordered_map<const Loop*, std::string> names_;
    std::unordered_set<const Loop*> mentioned_;
};

}  // namespace hpcc::nests
