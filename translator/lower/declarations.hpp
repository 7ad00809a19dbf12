// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// `static const double [[-,*]]` -> `static hpspmd::Array<const double, hpspmd::Dist,
/// hpspmd::Seq>`. A slot named in `slots` (empty string: not) is that template parameter instead.
ast::NodePtr lowerMultiarrayType(Context& context, ast::NodePtr type,
                                 const std::vector<std::string>& slots);

}  // namespace hpcc::lower
