// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscripts as sums of products, in one order, so that what stays the same can be told from what
// varies.
#pragma once

#include <optional>

#include "optimize/keys.hpp"

namespace hpcc::optimize {

/// coefficient * factor * factor ..
struct Term {
    long coefficient = 1;
    std::vector<int> factors;  // keys; strides first, then by rank
};

using Sum = std::vector<Term>;

/// The offset formula of an element access. Index arithmetic only: parts in other types stay whole.
Sum sumOf(Keys& keys, NodePtr subscript);

/// One expression for an offset: first what the indices say, the outer ones before the inner, then
/// the shifts: `(a.stride(0) * i.sub + a.stride(1) * j.sub) - a.stride(0) * x.str()`. All accesses
/// of an array by the same indices so share their first part. -1 if the sum is empty.
int offsetKey(Keys& keys, Sum sum);

/// Like terms put together, factors in order.
void normalize(const Keys& keys, Sum& sum);

/// The terms as one expression, in their order.
int sumKey(Keys& keys, const Sum& sum);

}  // namespace hpcc::optimize
