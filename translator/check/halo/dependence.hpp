// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 5: whether the iterations of an in-place nest depend on one another.
#pragma once

#include "analysis/element_writes.hpp"
#include "check/types.hpp"

namespace hpcc::check::halo {

enum class Dependence { None, Perhaps, Certain };

// Answers that for one nest: of `read`, an access by shifted indices, on `write`, which changes an
// element of the same array at the own indices. They depend on one another if an element
// that an iteration reads is one that another iteration changes.
//
//     overall (i = x for 1 : n - 2) a[i] = a[i - 1];                          Certain
//     overall (i = x for 1 : n - 2 : 2) a[i] = a[i - 1];                      None
//     overall (i = x for 1 : n - 2)
//         overall (j = y for 1 + (i` + k) % 2 : n - 2 : 2)
//             a[i, j] = a[i - 1, j] + a[i, j + 1];                            None
//     overall (i = x for 1 : n - 2) if (m[i]) a[i] = a[i - 1];                Perhaps
class NestDependences {
public:
    // `body`: of the function that holds it.
    NestDependences(NodePtr nest, NodePtr body);

    Dependence of(const analysis::ElementWrite& write, NodePtr read);
    Dependence of(NodePtr write, NodePtr read);  // the access itself is written

private:
    analysis::Dependences accesses_;
};

}  // namespace hpcc::check::halo
