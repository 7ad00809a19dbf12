// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the program that nests call with indices and arrays, written where they are called.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/unit.hpp"

namespace hpcc::regions {

// A call that stays, and why.
struct CallLeft {
    ast::NodePtr call = nullptr;
    std::string reason;
};

// The text in which what functions and lambdas do stands in the place of their calls; nothing if
// there is no such call. Of calls in what is then written another call is needed. The unit is
// annotated, and free of errors. `left` gets the calls that stay.
//
//     double laplacian(const double [[-,-]] u, DistributedIndex i, DistributedIndex j) {
//         const double c = u[i, j];
//         return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * c;
//     }
//     overall (i = x for 1 : n - 2)
//         overall (j = y for 1 : n - 2) v[i, j] = laplacian(w, i, j);
// ->
//     overall (i = x for 1 : n - 2)
//         overall (j = y for 1 : n - 2) {
//             const double c_2 = w[i, j];
//             v[i, j] = (w[i - 1, j] + w[i + 1, j] + w[i, j - 1] + w[i, j + 1] - 4 * c_2);
//         }
std::optional<std::string> callsWritten(const ast::Unit& unit, std::vector<CallLeft>& left);

}  // namespace hpcc::regions
