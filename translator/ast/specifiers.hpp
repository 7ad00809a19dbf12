// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

#include <algorithm>
#include <string_view>

namespace hpcc::ast {

// True if `word` is one of the words of `list`, specifiers or qualifiers: "static" of "static
// const". Null is allowed.
inline bool holdsWord(NodePtr list, std::string_view word) {
    return list && std::ranges::any_of(list->children(), [word](NodePtr each) {
               return each && each->text() == word;
           });
}

}  // namespace hpcc::ast
