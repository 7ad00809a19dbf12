// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Puts a fast form in front of every nest of which everything is known (fast_nest.hpp). Of a nest
/// that contains something else, the nests inside are tried.
ast::Unit fastNests(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
