// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <unordered_set>

#include "source/text.hpp"

namespace hpcc::ast {

/// The function-like macros of a text that stand for an expression which computes a number from
/// their parameters and constants, and does nothing else:
///
///     #define SQUARE(x) ((x) * (x))
///     #define LARGER(a, b) ((a) > (b) ? (a) : (b))
///     #define LENGTH(x, y) std::sqrt(SQUARE(x) + SQUARE(y))
///
/// Not those that are defined twice, under a condition, or undefined somewhere.
std::unordered_set<std::string_view> plainMacros(const source::Text& text);

}  // namespace hpcc::ast
