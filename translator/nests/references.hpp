// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nests/nest.hpp"

namespace hpcc::nests {

using SharedNames = std::vector<std::pair<std::string, std::string>>;

/// Pairs of names that a caller may have given one variable, or an array and one of its elements:
/// one of each pair is a reference, and the nest assigns one of them.
///
///     void f(double [[-]] a, double &s, double &w) {
///         Range x = a.rng(0);
///         overall (i = x for :) { s += a[i]; w = std::max(w, a[i]); }     {s, w}, {s, a}, {w, a}
///     }
///
/// The fast form, and threads, keep copies of numbers, which is right if all are distinct.
SharedNames perhapsOne(const Nest& nest);

/// What must hold: that they are not, that there is what references that may be null name, and the
/// premises of the nest: `hpspmd::detail::distinct(s, w) && ..`; "" if there is none.
std::string premisesOf(const Nest& nest);

/// True if a reference is surely not to this variable: the variable is of another kind, another
/// member, or declared later, or a parameter of the same function.
bool isSurelyOther(const ast::Symbol& reference, const ast::Symbol& variable);

}  // namespace hpcc::nests
