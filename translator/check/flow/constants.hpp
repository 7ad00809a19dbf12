// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the text of a condition says about the way control goes.
#pragma once

#include "analysis/loop.hpp"
#include "check/types.hpp"

#include <optional>
#include <vector>

namespace hpcc::check::flow {

// true, false, 1, 0; nothing for any other condition.
std::optional<bool> literalCondition(NodePtr expression);

enum class Logic { None, And, Or, Not };
Logic logicOf(NodePtr expression);

bool isConstexprIf(NodePtr ifStatement);

using analysis::runsAtLeastOnce;

// Whether a switch over `chosen` without default may have a case for every value: the enumerators
// of its enum are covered, or its type is out of sight.
bool mayBeExhaustive(NodePtr chosen, const std::vector<const Symbol*>& covered);

}  // namespace hpcc::check::flow
