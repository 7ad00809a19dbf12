// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ranges and numbers as command lines have them: "ext:100:1:1". Errors: invalid_argument.

#include <hpspmd/ranges.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace hpspmd::detail::cost {

[[noreturn]] inline void fail(const std::string& text) { throw std::invalid_argument(text); }

std::vector<std::string> split(const std::string& text, char at);
Index number(const std::string& text);

/// block:N  ext:N:LO:HI  cyclic:N  blockcyclic:N:B  star:N; text r is for axis r of the grid.
std::vector<Range> makeRanges(const std::vector<std::string>& texts, const Group& grid);

}  // namespace hpspmd::detail::cost
