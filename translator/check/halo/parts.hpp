// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of the elements of an array a write changes, or a read of ghost cells asks for.
#pragma once

#include "analysis/dependence.hpp"
#include "check/halo/box.hpp"
#include "check/types.hpp"

#include <optional>
#include <vector>

namespace hpcc::check::halo {

// u of a[i].u, or [0 .. 3] of a[i][k].
struct PartStep {
    analysis::Step step;
    Span subscript = {};  // unless it is a member
};

// The steps from an element to a part of it; nothing for the whole element. `areAll`: that part is
// written or read altogether, else perhaps some of it.
struct Part {
    std::vector<PartStep> steps;
    bool areAll = true;

    bool isWhole() const { return steps.empty() && areAll; }
};

//     .u       and .v                 Never
//     .u       and .u, all of S       Surely
//     .u[0]    and .u[1]              Never
//     .u       and something of S     Perhaps
Meeting meeting(const Part& write, const Part& read);

// True if all of an expression of a path is read: a number, or an object that is copied.
bool isReadWhole(NodePtr expression, const std::vector<NodePtr>& path);

// `l = a[i - 1]` of `const auto& l = a[i - 1]`; null if it is bound to no name.
NodePtr binding(NodePtr expression, const std::vector<NodePtr>& path);

// The paths from outermost steps down to that name: l.n.x, l.u; nothing if it is used otherwise.
std::optional<std::vector<std::vector<NodePtr>>> usesOf(NodePtr nest, NodePtr declared);

// Locations of an array, and what of the elements there.
struct Elements {
    Box box;
    Part part = {};
};

Meeting meeting(const Elements& write, const Elements& read);
Elements withoutVariables(Elements elements);

}  // namespace hpcc::check::halo
