// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks in a text in which some of the user's lines stand several times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/span.hpp"

namespace hpcc::source {

// A line of its own, behind which the lines count from `line` again.
//
//     4  double sum = 0;
//     5  sum += a[i + 1, j];
//     6  //# line 5
//     7  sum += a[i, j + 1];        // the user's line 5
std::string lineMark(uint32_t line);

// The `line` of such a mark, perhaps with blanks in front; nothing of other lines.
std::optional<uint32_t> lineMarked(std::string_view line);

// The user's line in which a span begins.
uint32_t userLine(const Span& span);

}  // namespace hpcc::source
