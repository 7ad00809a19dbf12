// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What hpcc --explain shows: the pages of docs/diagnostics, one per diagnostic.
#pragma once

#include "diagnostics/id.hpp"

#include <string>
#include <string_view>

namespace hpcc::diagnostics {

// The page as Markdown: a heading with code and meaning, cause and advice, a wrong and a right
// program.
std::string_view page(Id id);

// A page as a terminal shows it: paragraphs filled to 80 columns, programs indented, 'code' in
// quotes.
std::string pageText(std::string_view markdown);

}  // namespace hpcc::diagnostics
