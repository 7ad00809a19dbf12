// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variable an expression names.
#pragma once

#include "check/alignment/values.hpp"
#include "check/facts.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace hpcc::check::alignment {

bool isThis(NodePtr node);

// x, this->x: one word for the place that is read or assigned; null for any other.
const Symbol* plainVariable(NodePtr node);

// The variable, or the part of one, that an expression names: x, x.m, x[3], x.at(3),
// std::get<1>(x), *x. None for a.b.c, f().m and what is no place.
std::optional<Variable> placeOf(NodePtr node);

// The names of the parts of an object of the type that `given` puts together of so many values.
std::vector<std::string_view> partNames(const Type* type, NodePtr given, std::size_t count);

// The variable that the place lies in, or perhaps points into: v of &v[3].x, v.begin() + 1.
const Symbol* rootOf(NodePtr node);

}  // namespace hpcc::check::alignment
