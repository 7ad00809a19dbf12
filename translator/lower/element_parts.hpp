// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/dependence.hpp"
#include "lower/reach.hpp"

namespace hpcc::lower {

/// Which part of an element is reached, as the text behind it: from `low` to `high`.
///
///     a[i].n.x[3]                                .n.x[3]
///     for (int k = 0; k < 3; ++k) a[i].u[k]      .u[0] to .u[2]
///     a[i].u[f()]                                something of .u
struct ElementPart {
    std::string low, high;
    bool isExact = true;  // else it is something of them

    bool isWhole() const { return isExact && low.empty() && high.empty(); }
    bool operator==(const ElementPart&) const = default;
};

/// What is known where the part is told: subscripts that may be evaluated there, and loops that
/// count between there and the access.
struct PartSurroundings {
    std::function<bool(ast::NodePtr)> isKnown;
    std::function<const CountingLoop*(ast::NodePtr)> loopOf;
};

/// The part that these steps lead to.
ElementPart partOf(const std::vector<analysis::Step>& steps, const PartSurroundings& surroundings);

/// Of the expression `outer`, which reaches into the element of `access`.
ElementPart partOf(ast::NodePtr outer, ast::NodePtr access, const PartSurroundings& surroundings);

/// True if the elements of an array may have parts that are read or written one by one.
bool mayHaveParts(ast::NodePtr array);

/// `[&](auto& e) -> decltype(&e.u[0]) { return &e.u[0]; }`, once or for both ends.
std::string addressesOf(const ElementPart& part, const std::string& e);

}  // namespace hpcc::lower
