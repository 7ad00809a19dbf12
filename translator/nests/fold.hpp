// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "nests/mentions.hpp"
#include "nests/nest.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// An array that a nest fills and of which nothing is used but its sums along the distributed
/// dimension, behind the nest: the fast form adds them up, and stores no element.
///
///     double [[-,*]] t = new double [[x, n]];
///     overall (k = x for :)
///         for (Index j = 0; j < n; ++j) t[k, j] = a[k, j] * b[k, j];
///     Adlib::sumDim(total, t, 0);
struct Fold {
    std::string array;
    const Access* write = nullptr;  // t[k, j], stored once for each of its elements
    ast::NodePtr extent = nullptr;  // how many j there are
    std::string sums;               // the name of the sums, given later
};

/// The array that a statement sums along a dimension: t of `Adlib::sumDim(total, t, 0);`; null if
/// it is something else.
ast::NodePtr summedArray(ast::NodePtr statement);

/// What keeps the sums of `sumStatement` out of the nest, or how they get in. Null obstacle: the
/// nest does not fill the array at all.
/// `nestStatement` holds the nest and what is noted of it.
std::variant<Fold, Obstacle> asFold(Context& context, const Nest& nest, const Mentions& mentions,
                                    ast::NodePtr nestStatement, ast::NodePtr sumStatement);

/// The condition of the entry test that the sums can begin: `t_sums.begin(t, n)`
ast::NodePtr beginningOf(Context& context, const Fold& fold, ast::NodePtr origin);

/// The sum of a fold: `hpspmd::detail::sumDim(total, t, 0, t_sums);`
ast::NodePtr foldedSum(Context& context, ast::NodePtr sumStatement, const std::string& sums);

}  // namespace hpcc::nests
