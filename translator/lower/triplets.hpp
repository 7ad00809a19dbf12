// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// The parts of `l : u : s` as arguments: those left out at the end are left out, one left out
/// before a given one is `hpspmd::detail::none`. `: u` gives {none, u}.
std::vector<ast::NodePtr> tripletArguments(Context& context, ast::NodePtr triplet);

/// `l : u : s` -> `hpspmd::Triplet(l, u, s)`.
ast::NodePtr lowerTriplet(Context& context, ast::NodePtr triplet);

}  // namespace hpcc::lower
