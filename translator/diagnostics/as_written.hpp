// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics of texts that hpcc has written, told of what the user has written.
#pragma once

#include "diagnostics/engine.hpp"

namespace hpcc::diagnostics {

// The same of the user's text: of `a_part[i - 1]` in the loop that a method has become, a[i - 1] in
// the method. The words of a line that both texts have show where it stands; without any it is the
// whole line. Fixits that do not stand in the user's text are left out.
Diagnostic asWritten(Diagnostic diagnostic);

}  // namespace hpcc::diagnostics
