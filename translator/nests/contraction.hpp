// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/context.hpp"
#include "nests/mentions.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// An array of which each element lives for one iteration of a fused nest only, so that a variable
/// serves: a new array of the function that is used nowhere else, first written at the subscripts
/// at which it is read afterwards.
///
///     overall (i = x for :) {          overall (i = x for :) {
///         t[i] = 2 * a[i];                 double t_value;
///         b[i] = t[i] + 1;         ->      t_value = 2 * a[i];
///     }                                    b[i] = t_value + 1;
///                                      }
struct Contraction {
    size_t array = 0;   // in the nest
    std::string value;  // the variable
    std::string type;   // of an element
    const ast::Type* element = nullptr;
};

/// Those of a fused nest whose innermost common loop has this body, a block. `group` is what it is
/// made of; `function` counts the names where that stands.
std::vector<Contraction> contractionsOf(Context& context, const Nest& nest, ast::NodePtr body,
                                        const std::vector<ast::NodePtr>& group,
                                        const Mentions& function);

/// `overall`, the nest or a copy with other such variables, with variables for those arrays in the
/// body.
ast::NodePtr contracted(Context& context, const Nest& nest, ast::NodePtr overall, ast::NodePtr body,
                        const std::vector<Contraction>& contractions);

}  // namespace hpcc::nests
