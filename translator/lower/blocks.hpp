// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// `body` as a block that starts with the statements `first`. A block of the user keeps its braces,
/// comments and layout.
ast::NodePtr blockWith(Context& context, std::vector<ast::NodePtr> first, ast::NodePtr body);

/// True for `{}` and `;`.
bool isEmpty(ast::NodePtr body);

}  // namespace hpcc::lower
