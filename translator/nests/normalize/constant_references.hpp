// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/analyse.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// The block with copies in the place of references to elements of constant tables, which nobody
/// can change, where nothing asks for their address:
///
///     constexpr Rule rules[] = {{0.5}, {0.25}};
///
///     const Rule &rule = rules[i` % 2];       ->      const Rule rule_value = rules[i` % 2];
///     a[i] = rule.k * a[i];                           a[i] = rule_value.k * a[i];
ast::NodePtr withCopiesOfConstants(Context& context, const Surroundings& surroundings,
                                   ast::FreshNames::Counts& counts, ast::NodePtr block);

}  // namespace hpcc::nests
