// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bracket pass: pairs all brackets, joins "[[" "]]" "<>", tells multiarray slots, sections and
// attributes apart, splits "::" in triplets. Afterwards every later scan jumps over a bracket in
// one step.
#pragma once

#include "syntax/token.hpp"

namespace hpcc::syntax {

void pairBrackets(TokenStream& stream);

}  // namespace hpcc::syntax
