// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <vector>

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A loop over rows of a triangle, in a loop that runs in lanes: each row makes a number of what
/// the rows above have got, one after the other, and then something of that number.
///
///     for (Index i = 0; i < n; ++i) {
///         double sum = b[i, j];
///         for (Index k = 0; k < i; ++k) sum -= l[i, k] * v[k, j];
///         v[i, j] = sum / l[i, i];
///     }
///
/// Several rows may take what they need of the rows above all of them in one loop.
struct LaneTriangle {
    const Loop *rows = nullptr, *above = nullptr;  // those over i and k
    ast::NodePtr number = nullptr;                 // the declaration of sum
    std::string_view name;
    std::vector<ast::NodePtr> behind;
};

/// Nothing if the loop does anything else, or if the rows above might be changed by others.
std::optional<LaneTriangle> laneTriangle(const Nest& nest, ast::NodePtr loop);

/// Four rows at once, with parts as they are in lanes:
///
///     hpspmd::detail::eachOfTriangle<Index, Index>($first, $last, $from,
///         [&](const Index i) { $number; return sum; },
///         [&](const Index i, const Index k, auto &sum) { $step; },
///         [&](const Index i, auto &sum) { $behind; });
ast::NodePtr triangleCode(Context& context, const LaneTriangle& of, const ast::Bindings& parts);

}  // namespace hpcc::nests
