// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

#include "ast/node.hpp"

namespace hpcc::nests {

/// k and c of a subscript `k + c`, c a known number.
struct IndexPlace {
    std::string_view index;
    long distance = 0;
};
std::optional<IndexPlace> indexPlaceOf(ast::NodePtr subscript);

/// What a function says of values that are read at a distance, `b[k - 1]` for `k = x for 1 :`.
class ShiftedValues {
public:
    explicit ShiftedValues(ast::NodePtr function) : function_(function) {}

    /// All locations of the header, so far away, are locations of its range: 1 below for
    /// `x for 1 :`, 1 above for `x for : x.size() - 2`.
    bool areInside(ast::NodePtr header, long distance) const;

    /// The array has a value at each location, and fresh ghost cells of the range in that
    /// dimension: it is made by `genarray` over it, and assigned by `modarray` of itself only.
    bool isComplete(ast::NodePtr array, std::size_t dimension, ast::NodePtr range) const;

private:
    /// A local variable or parameter, which has no other name in other functions.
    bool isOwn(ast::NodePtr name) const;
    bool isFixed(ast::NodePtr name) const;
    /// `x.size()`, or a constant of that value.
    bool isSize(ast::NodePtr e, ast::NodePtr range) const;

    ast::NodePtr function_;
};

}  // namespace hpcc::nests
