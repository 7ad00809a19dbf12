// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::lower {

/// x and n of a location `x[n]` or `x.location(n)`; both null for any other expression.
struct LocationParts {
    ast::NodePtr range = nullptr;
    ast::NodePtr number = nullptr;
};

inline LocationParts locationParts(ast::NodePtr location) {
    if (ast::is<ast::Subscript>(location)) {
        const ast::NodePtr subscripts = location->child(ast::Subscript::subscripts);
        if (subscripts->children().size() != 1) return {};
        return {location->child(ast::Subscript::base), subscripts->child(0)};
    }
    if (!ast::is<ast::Call>(location)) return {};
    const ast::NodePtr callee = location->child(ast::Call::callee);
    const ast::NodePtr arguments = location->child(ast::Call::arguments);
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "location" ||
        arguments->children().size() != 1)
        return {};
    return {callee->child(ast::Member::base), arguments->child(0)};
}

}  // namespace hpcc::lower
