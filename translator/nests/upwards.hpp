// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "nests/context.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// A nest of which loops go down by one, with these loops going up, because their order does not
/// matter:
///
///     overall (i = x for n - 2 : 1 : -1)        overall (i = x for 1 : n - 2)
///         b[i] = a[i - 1];                ->        b[i] = a[i - 1];
struct Upwards {
    ast::NodePtr overall = nullptr;
    NamePairs apart = {};  // arrays that must share no element
};

/// Nothing if loops go down otherwise, or their iterations depend on one another.
std::optional<Upwards> upwards(Context& context, const Nest& nest);

}  // namespace hpcc::nests
