// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "nests/sums_of_products.hpp"

namespace hpcc::nests {

/// Sums in an array of doubles that the nest declares, and the loops over them.
struct SumInArray {
    const Loop* inner = nullptr;
    const Loop* columns = nullptr;  // along the array
    SumsOfProducts::Sum sum = {};
};

/// What `outer` adds up, one sum after the other, or all of them step by step:
///
///     for (int j = 0; j < m; ++j) {                for (int k = 0; k < n; ++k) {
///         sum[j] = 0;                                  const double v = a[i, k];
///         for (..) sum[j] += a[i, k] * w[k, j];        for (..) sum[j] += v * w[k, j];
///     }                                            }
///
/// Nothing if it does anything else, or reads more than numbers and elements of arrays.
std::optional<SumInArray> sumInArray(const Nest& nest, const Loop& outer);

/// The sums over the iterations of a nest, which are elements of a vector or array that outlives
/// it, one for each pair of two loops in it, of which `columns` is the inner one:
///
///     overall (i = x for :)
///         for (int j = 0; j < m; j++)
///             for (int k = j; k < m; k++) sums[j * m + k] += a[i, j] * a[i, k];
///
/// or for each iteration of one loop, `columns`, where `inner` is null and each sum starts with the
/// element:
///
///     overall (i = x for :)
///         for (int j = 0; j < m; j++) mean[j] += a[i, j];
///
/// Nothing if the nest does anything else, or if neighbouring k may add to one element.
std::optional<SumInArray> sumOverNest(const Nest& nest, const Loop& outer);

}  // namespace hpcc::nests
