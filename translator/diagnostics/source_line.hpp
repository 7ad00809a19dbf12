// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source line below a diagnostic, with its caret: tabs expanded, columns counted in characters
// (UTF-8), long lines cut to a window round the caret.
#pragma once

#include "diagnostics/engine.hpp"

#include <string>

namespace hpcc::diagnostics {

// Two lines, "    a[i] = 0;" and "    ^~~~"; "" for a span that stands nowhere.
std::string quoteLine(const source::Span& span);

// The replacement, below the place where it belongs.
std::string quoteReplacement(const Fixit& fixit);

}  // namespace hpcc::diagnostics
