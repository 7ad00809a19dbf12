// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// Numbers in the types that the passes on nests calculate in.
class PlainNumbers {
public:
    explicit PlainNumbers(Context& context) : context_(context) {}

    /// `u[i + (k - 2)]` with a k of std::size_t as `u[i + (static_cast<Index>(k) - 2)]`, which is
    /// the same modulo 2^64. A distance of 32 bits without a sign stays: it wraps round.
    /// And `u[i + (k - 1)]` for `u[i + k - 1]`.
    ast::NodePtr withSignedDistances(ast::NodePtr subscript);

    /// `k < 5` for `k < weight.size()` as the bound of a loop from a number that is not negative.
    ast::NodePtr withKnownBound(ast::NodePtr loop);

private:
    ast::NodePtr withOneDistance(ast::NodePtr subscript);
    ast::NodePtr signedValue(ast::NodePtr e);
    ast::NodePtr typed(ast::NodePtr e);

    Context& context_;
};

}  // namespace hpcc::nests
