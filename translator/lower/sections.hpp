// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// `a[[l : u, 3, i, <>]]` -> `hpspmd::section(a, hpspmd::Triplet(l, u), 3, i, hpspmd::split)`;
/// of a range, `x[[l : u]]` -> `x.subrange(l, u)`. `original` tells the type of the base.
ast::NodePtr lowerSection(Context& context, ast::NodePtr original, ast::NodePtr lowered);

}  // namespace hpcc::lower
