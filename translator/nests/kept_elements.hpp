// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nests/context.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// Elements that are in a variable while a loop runs, in all iterations of which they are the same:
///
///     y[i] = 0;                                double y_value = 0;
///     for (Index k = 0; k < n; ++k)            for (Index k = 0; k < n; ++k)
///         y[i] += a[i, k] * v[k];       ->         y_value += a[i, k] * v[k];
///                                              y[i] = y_value;
///
/// or while an iteration runs that sets or changes them first, and again later:
///
///     b[i] = 2 * a[i];                         double b_value = 2 * a[i];
///     if (b[i] > 1) b[i] = 1;           ->     if (b_value > 1) b_value = 1;
///                                              b[i] = b_value;
struct KeptElements {
    ast::NodePtr overall = nullptr;          // the nest with these variables
    std::vector<std::string> elements = {};  // as the program names them
    NamePairs apart = {};                    // arrays that must share no element
};

/// Those of a nest; nothing if there are none. Only a fast form may stand for it: its entry test
/// says that the elements are there, also where a loop runs no iteration, and asks for `apart`.
std::optional<KeptElements> keepElements(Context& context, const Nest& nest);

}  // namespace hpcc::nests
