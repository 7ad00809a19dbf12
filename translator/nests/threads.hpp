// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "nests/context.hpp"
#include "nests/independence.hpp"
#include "nests/reaches.hpp"
#include "nests/reductions.hpp"
#include "nests/sums_of_products.hpp"

namespace hpcc::nests {

/// How the iterations of a nest's outermost loop can be divided among threads.
struct Division {
    std::vector<Reduction> joined;     // numbers of which each thread has its own
    ArrayPairs apart;                  // arrays that must share no element
    std::vector<std::string> unknown;  // types that must be numbers, as C++ knows
};

/// That of a nest, if its iterations are independent, but for sums, largest and least numbers, and
/// call nothing that might not be made for threads. Else what keeps the nest in one thread.
///
///     double sum = 0;
///     overall (i = x for :)
///         overall (j = y for :) sum += a[i, j] * b[i, j];     joined: + sum
///
/// Numbers that are joined have types that are known here, or, of templates, where C++ asks later.
enum class Joinable { Known, OfTemplates };
std::variant<Division, Obstacle> divisionOf(const Nest& nest, const Reaches& reaches,
                                            Joinable joinable = Joinable::Known);

/// The call that divides the iterations of a fast form, up to its function:
/// `hpspmd::detail::inThreads(hpspmd::detail::Work(i_run, j_run), `.
struct ThreadCall {
    std::string start;
    std::vector<Reduction> joined;

    /// What it gets for a number: `hpspmd::detail::bySum(sum)`; other values are given as they are.
    std::string argument(const std::string& value) const;
};

using ProductLoops = std::unordered_map<const Loop*, SumsOfProducts>;

/// `runs`: the names of the runs of loops; `proven`: arrays that the entry test has told apart;
/// `sums`: what is computed in tiles, by the outer loop; then rows and columns are divided.
ThreadCall callInThreads(const Nest& nest, const Reaches& reaches, const Division& division,
                         const std::unordered_map<const Loop*, std::string>& runs,
                         const ArrayPairs& proven, const ProductLoops& sums = {});

/// The nest itself, perhaps with fast forms inside, marked for lowering, which makes a function of
/// its loops as well:
///
///     HPSPMD_IN_THREADS(hpspmd::detail::Work(x, y), hpspmd::detail::bySum(sum))
///     overall (i = x for :)
///         overall (j = y for :) sum += a[i, j] * b[i, j];
///
/// Behind `if (hpspmd::detail::distinct(sum, a)) .. else` the nest, if a caller may have given it
/// one variable by two names.
ast::NodePtr markedForThreads(Context& context, const Nest& nest, const Reaches& reaches,
                              const Division& division, ast::NodePtr overall);

}  // namespace hpcc::nests
