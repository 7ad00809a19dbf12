// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/pass.hpp"
#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A number that a loop only adds to, only multiplies, or of which it keeps the largest or least
/// value.
struct Reduction {
    std::string op;  // of OpenMP: `+`, `*`, `max`, `min`
    std::string_view name;
    ast::NodePtr target = nullptr;  // one mention of it
    ast::NodePtr value = nullptr;   // of `max` and `min`: what may be kept
    bool skipsNaN = false;          // by fmax or fmin, also one with which it begins
};

/// What a loop's body does with `names`, if that is nothing but reductions:
///
///     s += a[j] * b[j];                    + : s
///     if (a[j] > 0) ++n;                   + : n
///     p *= a[j];                           * : p
///     w = std::max(w, std::abs(a[j]));     max : w
///     if (a[j] < least) least = a[j];      min : least
std::optional<std::vector<Reduction>> reductionsOf(ast::NodePtr body, const Names& names);

/// What a loop does with numbers that outlive an iteration, if that is nothing, or nothing but
/// reductions of numbers that are the nest's own, or of which its fast form `hasCopies`.
std::optional<std::vector<Reduction>> reductionsOf(const Nest& nest, const Loop& loop,
                                                   bool hasCopies);

/// True if joining several numbers of a loop would gain nothing: the loop is short; or it counts
/// over elements that lie apart and that the counting loop round it has just written, `for (i ..) {
/// for (k ..; k < i; ..) s -= l[i, k] * v[k, j]; v[i, j] = s; }`. In order, a sum waits for the
/// last of them only, and the processor begins the next sums meanwhile.
bool runsInOrder(const Nest& nest, const Loop& loop);

/// The pass: tells the C++ compiler that it may compute several iterations of such a loop at once,
/// each with its own s, and join them afterwards: sums are added in another order.
///
///     HPSPMD_INDEPENDENT(j)
///     for (hpspmd::Index j = j_run.first; j <= j_run.last; ++j) s += a_data[j];
/// ->
///     HPSPMD_REDUCTION(j, reduction(+ : s))
///     for (hpspmd::Index j = j_run.first; j <= j_run.last; ++j) s += a_data[j];
ast::Unit reductions(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
