// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of any type by which nests reach elements become multiarrays where they are some.
#pragma once

#include <optional>
#include <string>

#include "ast/unit.hpp"

namespace hpcc::regions {

// The text in which nests over arrays of unknown types, those of templates and generic lambdas,
// stand twice; nothing if there are none. The unit is annotated, and free of errors.
//
//     template <class A> void f(A b, A a) { overall (i = x for :) b[i] = a[i]; }
//
// becomes
//
//     template <class A> void f(A b, A a) {
//         if constexpr (hpspmd::detail::isArrayOf<decltype(b), hpspmd::Dist> && ..) {
//             auto &b_given = b; ..
//             {
//                 hpspmd::detail::ElementOf<decltype(b)> [[-]] b = b_given; ..
//                 overall (i = x for :) b[i] = a[i];
//             }
//         } else
//             overall (i = x for :) b[i] = a[i];
//     }
std::optional<std::string> arraysKnown(const ast::Unit& unit);

// True if it chooses between such forms; the other one is general.
bool choosesForm(ast::NodePtr branch);

}  // namespace hpcc::regions
