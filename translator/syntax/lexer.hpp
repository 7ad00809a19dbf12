// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text -> tokens. Comments, white space and directives are trivia: they stay in the text only.
#pragma once

#include "syntax/token.hpp"

namespace hpcc::syntax {

TokenStream lex(const source::Text& text);

}  // namespace hpcc::syntax
