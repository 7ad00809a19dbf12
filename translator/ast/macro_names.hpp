// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
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

    /// True if a name in the expression may be that of a macro: it stands in the definition of one,
    /// or is unknown and has no lower-case letter.
    bool mayStandIn(NodePtr expression) const;

private:
    std::unordered_set<std::string_view> defined_;  // function-like ones
    std::unordered_set<std::string_view> mentioned_;
};

}  // namespace hpcc::ast
