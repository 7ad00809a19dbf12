// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

#include "nests/device.hpp"
#include "nests/fold.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// A nest that is the product of two matrices and nothing else, which devices have libraries for:
///
///     overall (i = x for :)
///         overall (j = y for :) {
///             double sum = 0;
///             for (Index k = 0; k < n; ++k) sum += a[i, k] * b[k, j];
///             c[i, j] = sum;
///         }
///
/// Any loop may be an `overall` or count, the loop over k may stand round another one, where
/// products are added to c[i, j], and the subscripts of a factor may be swapped.
struct MatrixProduct {
    const Loop *rows, *columns, *steps;  // over i, j, k
    const Access *target, *left, *right;
    bool adds;  // to what c[i, j] holds
};

/// A note of a plan.
inline constexpr const char* onDeviceAsProduct =
    "as a product of matrices by a library of the device";

/// All loops take each index once, whatever the others are at. The elements are all of type double,
/// or all of type float.
std::optional<MatrixProduct> asMatrixProduct(const Nest& nest, const Reaches& reaches);

/// `hpspmd::detail::product(hpspmd::detail::matrix(c, i_run, j_run), ..)`; "" if a run is not known
/// at entry.
std::string productCall(Context& context, const Nest& nest, const MatrixProduct& product,
                        const RunNames& runs);

/// The same whose sums over the distributed k a fold adds up: t[k, i * n + j] = a[k, i] * b[k, j].
/// The target is the store.
std::optional<MatrixProduct> asFoldedProduct(const Nest& nest, const Fold& fold,
                                             const Reaches& reaches);

/// `hpspmd::detail::foldedProduct(..)`, false where no device computes it.
std::string foldedProductCall(Context& context, const Nest& nest, const Fold& fold,
                              const MatrixProduct& product, const RunNames& runs);

/// The values of a counting loop: `hpspmd::detail::Reach(0, n - 1)`.
std::string valuesOf(Context& context, const Loop& counting);

/// The pass that lets nests call them.
ast::Unit libraryProducts(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
