// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/analyse.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// A nest whose loops go over named elements instead of objects of the program's classes that hold
/// them, behind the declarations of these names:
///
///     overall (i = x for :)                 const auto u = hpspmd::detail::ownElementsOf(w);
///         for (double f : w) b[i] += f;  -> overall (i = x for :)
///                                               for (double f : u) b[i] += f;
///
/// where w.begin() and w.end() are in sight and go over an array or a container of its own.
ast::NodePtr withNamedRanges(Context& context, const Surroundings& surroundings,
                             ast::FreshNames::Counts& counts, ast::NodePtr nest);

}  // namespace hpcc::nests
