// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ast/node.hpp"

namespace hpcc::ast {

/// The macros that a text defines.
class MacroNames {
public:
    explicit MacroNames(const source::Text& text);

    /// True if `call` may be the use of a macro: its name is defined here, is `assert`, or is
    /// unknown and has no lower-case letter. Its arguments may never be evaluated, and no directive
    /// may stand between its parentheses.
    bool mayBeMacro(NodePtr call) const;

    /// True if the name stands in the definition of a macro, so that it may be used unseen.
    bool mention(std::string_view name) const { return mentioned_.contains(name); }

    /// The names in an expression, and all words that macros among them stand for.
    std::unordered_set<std::string_view> namesIn(NodePtr expression) const;

private:
    using Words = std::unordered_set<std::string_view>;

    Words defined_;  // function-like ones
    Words mentioned_;
    std::unordered_map<std::string_view, Words> meanings_;  // of all, with their own names
};

}  // namespace hpcc::ast
