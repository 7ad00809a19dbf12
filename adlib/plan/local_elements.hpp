// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/descriptor.hpp>

#include "plan/product.hpp"

namespace hpspmd::detail::plan {

/// How a place moves, per dimension, with the local subscript and with the global index of an
/// element.
struct Walk {
    std::vector<Index> perLocal, perGlobal;
};

/// The memory of an array.
Walk memory(const Descriptor& array);

/// The memory of an array aligned with one that has dimension d besides.
Walk memoryWithout(const Descriptor& array, int d);

/// The position of an element in the row-major order of the global indices.
Walk rowMajorIndex(const Descriptor& array);

/// The elements of `array` that a process holds, by rising local blocks, in K places at once;
/// nothing outside the array's group. Each copy of a replicated array counts as its own.
template <int K>
Product<K> localElements(const Descriptor& array, int process, const std::array<Walk, K>& walks);

}  // namespace hpspmd::detail::plan
