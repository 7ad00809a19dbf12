// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose nests call what they are given.
#pragma once

#include "ast/node.hpp"

namespace hpcc::regions {

// True of a call of a function of the program in whose nests stands what only the call tells: a
// lambda or an object for a parameter of any type, or a class for a parameter of its template. What
// the function does then stands where it is called, so that its nests know what they call.
//
//     template <class F> void cells(Range x, F f) {
//         overall (i = x for :) f(i);
//     }
//     cells(a.rng(0), [&](auto i) { a[i] = 0; });
// ->
//     {
//         const Range x_2 = a.rng(0);
//         auto f_2 = [&](auto i) { a[i] = 0; };
//         overall (i_2 = x_2 for :) f_2(i_2);
//     }
bool tellsNests(ast::NodePtr call);

}  // namespace hpcc::regions
