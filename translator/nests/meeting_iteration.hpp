// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "nests/context.hpp"
#include "nests/independence.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// The only iteration of an innermost counting loop that changes an element which others read:
///
///     for (Index j = 0; j < n; ++j) d[i, j] = std::min(d[i, j], d[i, k] + row[j]);      k
///
/// Those before it are independent of one another, and so are those behind it, provided that the
/// arrays of `apart`, to which pairs are added, share no element. Null if there is no such
/// iteration.
ast::NodePtr meetingIteration(Context& context, const Nest& nest, const Loop& loop,
                              const Reaches& reaches, ArrayPairs& apart);

/// What writes the loop in parts.
struct PartLoops {
    std::string part;                                // its name
    ast::NodePtr meets;                              // that iteration
    std::function<ast::NodePtr(ast::NodePtr)> fast;  // the fast form of an expression
    ast::NodePtr alone;                              // the body of that iteration
    ast::NodePtr independent;                        // the loop over a part without it,
    bool isPacked;                                   // as a call of the library
};

/// The loop before that iteration, for it alone, and behind it:
///
///     for (const hpspmd::detail::Part &j_part : hpspmd::detail::Parts(k, 0, hpspmd::Index(n) - 1))
///         if (j_part.meets) for (..) ..;
///         else for (..) ..;
///
/// or in two parts, `Parts::through(..)`, of which that iteration ends the first one, if a call of
/// the library does them, and each iteration is an assignment, which reads before it writes.
ast::NodePtr inParts(Context& context, const Loop& loop, const PartLoops& loops);

/// The loop over one of these.
ast::NodePtr partLoop(Context& context, const Loop& loop, const std::string& part,
                      ast::NodePtr body);

}  // namespace hpcc::nests
