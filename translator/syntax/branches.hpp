// Which branches of #if are parsed.
//
// Both branches of an #if are live if each holds whole statements: bracket-balanced, and #if, #else
// and #endif stand behind ';', '{' or '}'; and no `else` begins a branch behind one whose end is no
// `else if`. Otherwise only the first branch is parsed; the text of the others is kept. The body of
// "#if 0" is dead.
#pragma once

#include "syntax/token.hpp"

namespace hpcc::syntax {

// Marks the tokens of dead branches; a directive whose branch is dead although it is not "#if 0" is
// returned.
std::vector<Directive> markDeadBranches(TokenStream& stream);

}  // namespace hpcc::syntax
