// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"

namespace hpcc::pretranslate {

/// `double [[-]] a = f(), b;` -> `double [[-]] a = f(); double [[-]] b;` wherever declarations
/// stand in a list. Those in the head of a statement stay whole, they have no place for a second
/// one.
ast::NodePtr splitDeclarations(ast::Arena& arena, ast::Quoter& quote, ast::NodePtr root);

}  // namespace hpcc::pretranslate
