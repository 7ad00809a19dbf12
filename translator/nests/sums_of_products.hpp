// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "nests/elements.hpp"
#include "nests/independence.hpp"

namespace hpcc::nests {

/// Two loops of `overall` and a counting loop in them that computes one sum for each pair of
/// indices, as in matrix multiplication:
///
///     overall (i = x for :)
///         overall (j = y for :) {
///             double sum = 0;
///             for (Index k = 0; k < n; ++k) sum += a[i, k] * b[k, j];
///             c[i, j] = sum;
///         }
struct SumsOfProducts {
    const Loop* rows = nullptr;        // over i
    const Loop* columns = nullptr;     // over j, along the last dimension of c and of b
    const Loop* steps = nullptr;       // over k
    const Access* row = nullptr;       // b[k, j]: the only thing that changes with j
    std::string_view sum;              // its name
    ast::NodePtr start = nullptr;      // the value that it starts with
    ast::NodePtr term = nullptr;       // what a step adds
    ast::NodePtr statement = nullptr;  // what uses the sum
};

/// The sums that `outer` and what it contains compute, if it is nothing else and if the arrays of
/// `apart`, to which pairs are added, share no element. What nearly is such a nest tells why it is
/// none; others leave `obstacle` as it is.
std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Reaches& reaches, ArrayPairs& apart,
                                               Obstacle& obstacle);

/// They as a call of the library's loop for this, with the runs of both loops of `overall`; null if
/// the term is no expression of `+ - * /` over numbers of type double.
///
///     hpspmd::detail::sumsOfProducts(i_run.first, i_run.last, j_run.first, j_run.last, 0, n - 1,
///         0.0, [&](hpspmd::Index k) { return b_data + b_s0 * k; },
///         [&](hpspmd::Index i, hpspmd::Index k, const auto &b_row) { return a_data[a_s0 * i + k] *
///             b_row; },
///         [&](hpspmd::Index i, hpspmd::Index j, double sum) { c_data[c_s0 * i + j] = sum; });
ast::NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                                 Elements& elements, const std::string& rowsRun,
                                 const std::string& columnsRun);

/// ` k`, what follows the type of a parameter that stands for the loop's variable; "" if `user`
/// does not mention it.
std::string parameter(const Loop& loop, ast::NodePtr user);

/// `b_row`, the name of the row of `t.b[k, j]`.
std::string rowOf(const Nest& nest, const Access& access);

}  // namespace hpcc::nests
