// Which variable an expression names.
#pragma once

#include "check/alignment/values.hpp"
#include "check/facts.hpp"

#include <optional>

namespace hpcc::check::alignment {

bool isThis(NodePtr node);

// x, this->x: one word for the place that is read or assigned; null for any other.
const Symbol* plainVariable(NodePtr node);

// The variable, or the part of one, that an expression names: x, x.m, x[3], x.at(3),
// std::get<1>(x), *x. None for a.b.c, f().m and what is no place.
std::optional<Variable> placeOf(NodePtr node);

// The variable that the place lies in, or perhaps points into: v of &v[3].x, v.begin() + 1.
const Symbol* rootOf(NodePtr node);

}  // namespace hpcc::check::alignment
