// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

#include "nests/context.hpp"

namespace hpcc::nests {

/// The name of the operands of an iteration, and how far the next one lies.
struct RowSteps {
    const std::string& operands;
    long by;
};

/// A row whose value, as WideValues writes it, is a sum over a rectangle of elements, each times a
/// constant of its row and one of its column, or the least or largest of a rectangle: of columns,
/// which neighbouring iterations share, so that the sum is added in another order. Null for other
/// values. `row` binds $row, $first and $last; `names` are constants of an iteration.
///
///     0.25 * (o.at(p, -1) + o.at(p, 0) + o.at(p, 1) + o.at(q, -1) + o.at(q, 0) + o.at(q, 1))
/// ->
///     hpspmd::detail::eachOfColumns<-1, 1>($row, $first, $last, [&](const auto &o) {
///         return o.at(p) + o.at(q);
///     }, [&](const auto &o) {
///         return 0.25 * (o.column(-1) + o.column(0) + o.column(1));
///     });
ast::NodePtr overColumns(Context& context, ast::Bindings row, ast::NodePtr value,
                         const std::map<std::string, ast::NodePtr>& names, RowSteps steps);

}  // namespace hpcc::nests
