// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and classes of the unit that attributes name.
#pragma once

#include <optional>
#include <string_view>

#include "ast/node.hpp"

namespace hpcc::regions {

using ast::NodePtr;

// How many parameters functions of that name have that are defined in the unit, the most up to 2;
// 0 if there are none.
std::size_t parametersOfFunction(NodePtr unit, std::string_view name);

// True if `BetweenRows{row}`, or `cut`, can be called with two arguments. Nothing if the unit
// defines neither such a class nor such a function.
std::optional<bool> isStrategy(NodePtr unit, std::string_view text);

}  // namespace hpcc::regions
