// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nests/reaches.hpp"

namespace hpcc::nests {

/// What a condition inside a loop asks, if that is whether a sum with the loop's variable is even.
///
///     (i` + j`) % 2 == colour    of the loop over j: j`, i` and colour add up to an even number,
///                                if i` + j` is not negative, and colour 0 or 1
struct Parity {
    struct Term {
        ast::NodePtr value;         // the same all through the loop
        bool isSubtracted = false;  // neither adds nor takes away an even number
    };
    std::vector<Term> terms = {};
    bool isOdd = false;       // 1 is added
    bool alternates = false;  // the loop's variable is added; else no answer
    std::vector<ast::NodePtr> notNegative = {}, bits = {};  // what it takes for granted

    /// The same for sums that are even in the same iterations, or in the others.
    std::string key() const;
};

/// Nothing if the condition asks something else, or if that is not known. Numbers may be of any
/// width, with or without a sign: wrapping round keeps the parity.
std::optional<Parity> parityOf(const Nest& nest, const Loop& loop, const Reaches& reaches,
                               ast::NodePtr condition);

/// The value of a constant that the nest declares; null of anything else.
ast::NodePtr valueInNest(const Nest& nest, const Loop& loop, ast::NodePtr name);

/// True if it is an integer or a truth value.
bool isIntegral(ast::NodePtr expression);

/// i` of this loop, which is an `overall`.
bool isGlobalIndexOf(ast::NodePtr expression, const Loop& loop);

}  // namespace hpcc::nests
