// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "nests/context.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// A nest of which loops go down, with these loops going up, because their order does not matter:
///
///     overall (i = x for n - 2 : 1 : -1)        overall (i = x for 1 : n - 2)
///         b[i] = a[i - 1];                ->        b[i] = a[i - 1];
///     overall (i = x for m : 1 : -2) ..   ->    overall (i = x for 1 + ((m - 1) & 1) : m : 2) ..
struct Upwards {
    ast::NodePtr overall = nullptr;
    NamePairs apart = {};  // arrays that must share no element
};

/// Nothing if loops go down otherwise, or their iterations depend on one another.
std::optional<Upwards> upwards(Context& context, const Nest& nest);

/// True of a counting loop down by one that may go up instead, if its order does not matter: where
/// it begins, and where it ends, can be told before it, and its counter can go one behind them.
bool mayBeTurned(const Nest& nest, const Loop& loop);

/// Such a loop as it is written, upwards: C++ compilers compute several iterations at once without
/// turning what they load and store.
///
///     for (int j = n - 1; j >= 0; --j)   ->   for (int j = 0; j <= n - 1; ++j)
ast::NodePtr turned(Context& context, ast::NodePtr loop);

}  // namespace hpcc::nests
