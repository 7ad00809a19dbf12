// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nests/elements.hpp"
#include "nests/independence.hpp"

namespace hpcc::nests {

struct NestPlan;

/// Two loops and one in them that computes one sum for each pair of their variables, as in matrix
/// multiplication:
///
///     overall (i = x for :)
///         for (Index j = 0; j < m; ++j) {
///             double sum = 0;
///             for (Index k = 0; k < n; ++k) sum += a[i, k] * b[k, j];
///             c[i, j] = sum;
///         }
///
/// which may start with what is in c[i, j], or else with the same for all. There may be several
/// sums, and loops that add to them, one behind the other, upwards or downwards. The bounds of j
/// and k may depend on i.
///
/// or one loop of which each iteration has a sum, if its terms lie side by side along this index:
///
///     overall (j = y for :) {
///         double sum = 0;
///         for (Index k = 0; k < n; ++k) sum += a[k, j] * v[k];
///         c[j] = sum;
///     }
///
/// or along rows of their own, which are computed several at once:
///
///     overall (i = x for :) {
///         double sum = 0;
///         for (Index k = 0; k < n; ++k) sum += a[i, k] * v[k];
///         y[i] = sum;
///     }
///
/// or the loops over i and j inside of that over k, if the nest has a fold:
///
///     overall (k = x for :)
///         for (Index i = 0; i < n; ++i)
///             for (Index j = 0; j < n; ++j) t[k, i * n + j] = a[k, i] * a[k, j];
///
/// or sums in an array that each iteration has for itself, in either order of its loops:
///
///     double sum[16];
///     for (int j = 0; j < 16; ++j) {
///         sum[j] = 0;
///         for (int k = 0; k < 16; ++k) sum[j] += a[i, k] * w[k, j];
///     }
///
/// or sums over all iterations, in a vector that outlives the nest.
struct SumsOfProducts {
    /// What a loop over k adds, step by step.
    struct Terms {
        const Loop* steps = nullptr;
        ast::NodePtr term = nullptr;
        std::vector<ast::NodePtr> rows = {};    // b[k, j]: the parts of it that change with j; they
                                                // are the same for each i
        std::vector<ast::NodePtr> before = {};  // numbers of a step that they name
    };
    struct Sum {
        std::string_view name = {};      // "" of a fold
        ast::NodePtr start = nullptr;    // the value that it starts with; null of a fold
        std::vector<Terms> terms = {};   // in their order
        ast::NodePtr element = nullptr;  // sum[j], of an array of the iteration's

        /// It is added to an element that outlives the nest.
        bool isAdded() const { return element && !start; }
        /// So does the element that it starts with, or is added to.
        bool outlivesNest() const {
            return element && terms.front().steps->kind == Loop::Kind::Overall;
        }
    };
    const Loop* rows = nullptr;     // over i; null if each j has one sum
    const Loop* columns = nullptr;  // over j, along the last dimension of c
    std::vector<Sum> sums = {};
    ast::NodePtr statement = nullptr;  // what uses the sums; null of a fold
    bool isRagged = false;             // bounds of j or k depend on i
    bool isHalf = false;               // the sum of i, j is that of j, i
    bool areAlongRows = false;         // the terms of each sum lie side by side

    /// No subscript may be checked while they are computed.
    bool allowsNoCheck() const { return isRagged || sums.front().outlivesNest(); }
};

/// The sums that `outer` and what it contains compute, if it is nothing else and if the arrays of
/// `apart`, to which pairs are added, share no element. What nearly is such a nest tells why it is
/// none; others leave `obstacle` as it is. `fold`: that of the nest; or null.
std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Fold* fold, const Reaches& reaches,
                                               ArrayPairs& apart, Obstacle& obstacle);

/// The library's sums along rows, in the order of the loop and in another one.
inline constexpr std::string_view sumsAlongRows = "hpspmd::detail::sumsAlongRows",
                                  joinedSumsAlongRows = "hpspmd::detail::joinedSumsAlongRows";

/// They as a call of the library's loop for this, where `runOf` names the runs of loops of
/// `overall`; null if the terms are no expressions of `+ - * /` over numbers of type double.
///
///     hpspmd::detail::sumsOfProducts(i_run.first, i_run.last, 0, hpspmd::Index(m) - 1,
///         [&](hpspmd::Index i, Index j, double sum) { c_data[c_s0 * i + j] = sum; },
///         hpspmd::detail::sumFrom(0.0, hpspmd::detail::terms(0, hpspmd::Index(n) - 1,
///             [&](Index k, const auto &j_row) { return j_row.at(b_data + b_s0 * k); },
///             [&](hpspmd::Index i, Index k, const auto &b_row) {
///                 return a_data[a_s0 * i + k] * b_row; })));
///
/// A start that is not the same for all is a function of i and j, a bound a function of i. A
/// factor of the row that is no mere element is a function of its own. Without
/// rows it is sumsOfColumns, whose functions do not get i, or sumsAlongRows; where one sum serves
/// two pairs, symmetricSumsOfProducts.
struct NamesOfRun {
    std::string run, global;  // and of the global index
};
using RunsOf = std::function<NamesOfRun(const Loop&)>;
ast::NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                                 Elements& elements, const RunsOf& runOf);

/// Why there is no such call, and what the plan says of one.
Obstacle untiled(const SumsOfProducts& sums);
void noteTiles(NestPlan& plan, const SumsOfProducts& sums);

}  // namespace hpcc::nests
