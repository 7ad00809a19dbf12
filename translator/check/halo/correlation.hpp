// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the outcome of a condition may tell which way the program came.
#pragma once

#include "check/flow/graph.hpp"

namespace hpcc::check::halo {

// False only if `condition` is made of values that never change, and `write` stands under no
// condition on any of them: then a path that leads past `write` may take both branches.
//
//     for (int k = 0; k < n; ++k) {
//         if (k % 2 == 0) Adlib::writeHalo(a);     true: which branch is taken depends on k
//         if (periodic) Adlib::writeHalo(b);       false, for a parameter `periodic`
bool mayCorrelate(NodePtr condition, const flow::Surroundings* write);

}  // namespace hpcc::check::halo
