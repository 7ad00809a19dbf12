// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <unordered_set>

#include "ast/node.hpp"

namespace hpcc::ast {

/// The function-like macros that a text defines.
class MacroNames {
public:
    explicit MacroNames(const source::Text& text);

    /// True if `call` may be the use of a macro: its name is defined here, is `assert`, or is
    /// unknown and has no lower-case letter. Its arguments may never be evaluated, and no directive
    /// may stand between its parentheses.
    bool mayBeMacro(NodePtr call) const;

private:
    std::unordered_set<std::string_view> defined_;
};

}  // namespace hpcc::ast
