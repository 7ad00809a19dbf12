// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <unordered_set>

#include "nests/analyse.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// Where names are noted that a pass gives to variables.
struct NamesMade {
    ast::FreshNames::Counts& counts;
    std::unordered_set<std::string_view>& all;
};

/// The nest with numbers in the place of plain objects that it declares, and of arrays of these,
/// where it names them by their members or assigns them as a whole:
///
///     Pair last = {0, 1};            ->   double last_u = 0; double last_v = 1;
///     last = {a[i], last.u};              { const double last_u_2 = a[i]; const double last_v_2 =
///     row[k] = last;                      last_u; last_u = last_u_2; last_v = last_v_2; }
///                                         { row_u[k] = last_u; row_v[k] = last_v; }
ast::NodePtr withObjectsApart(Context& context, const Surroundings& surroundings, NamesMade names,
                              ast::NodePtr nest);

}  // namespace hpcc::nests
