// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per damage. A wrong bracket makes the parser stumble again and again, and other
// brackets seem wrong too: of all errors in the region that a wrong bracket may have disturbed only
// the first is told.
#pragma once

#include "syntax/token.hpp"

namespace hpcc::syntax {

// Joins the errors of lexer and bracket pass with `found`, those of the parser, and hands on what
// is left.
void reportDamages(const TokenStream& stream, const diagnostics::Engine& found,
                   diagnostics::Engine& engine);

}  // namespace hpcc::syntax
