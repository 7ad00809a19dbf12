// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/normalize/loop_values.hpp"

namespace hpcc::nests {

/// True of `Adlib::dotProduct(a, b)`.
bool isDotProduct(ast::NodePtr call);

/// Reads one, or the reduction of one array, of arrays with names, or of sections `a[[:, j]]` of
/// these, as a nest:
///
///     Adlib::dotProduct(q, a[[:, j]])    ->    overall (at = at_range for :) value += q[at] *
///     a[at, j];
///
/// False if it cannot be one.
bool readArrayReduction(Context& context, ast::FreshNames::Given& given, ast::NodePtr call,
                        LoopValue& value);

}  // namespace hpcc::nests
