// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Constants of the program that it reads, but that nothing names any more since numbers stand in
/// their place, are `[[maybe_unused]]`: else C++ compilers would warn of the user's own lines.
///
///     const int by = 1;
///     overall (i = x for 1 :) b[i] = a[i - by];     // b_data[i] = a_data[i - 1]
ast::Unit markUnread(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
