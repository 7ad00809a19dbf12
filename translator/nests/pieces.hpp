// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "nests/reaches.hpp"

namespace hpcc::nests {

/// A condition inside a loop.
struct Condition {
    std::vector<ast::NodePtr> places;  // where it stands, perhaps as the name of a constant
    ast::NodePtr value = nullptr;      // of the loop's variable and what is fixed in the loop
};

/// Where a piece of a loop begins: at a value that its variable is compared with, or behind it.
struct Cut {
    ast::NodePtr value = nullptr;
    long shift = 0;  // subtracted
    bool isBehind = false;
};

/// Conditions that have one value in each of few pieces of an innermost loop.
///
///     overall (i = x for :)                                  conditions: i` == 0 || i` == n - 1
///         if (i` == 0 || i` == n - 1) b[i] = a[i];           pieces begin at 0, behind 0,
///         else b[i] = 0.5 * (a[i - 1] + a[i + 1]);           at n - 1 and behind n - 1
struct Pieces {
    std::vector<Condition> conditions;
    std::vector<Cut> cuts;
};

/// The conditions are asked by comparisons of the loop's variable, or of a constant that is this
/// variable, with integers that are fixed in the loop.
std::optional<Pieces> piecesOf(Context& context, const Nest& nest, const Loop& loop,
                               const Reaches& reaches);

/// An expression inside a loop with what constants of the loop's body stand for in their place.
ast::NodePtr resolved(Context& context, const Nest& nest, const Loop& loop,
                      ast::NodePtr expression);

}  // namespace hpcc::nests
