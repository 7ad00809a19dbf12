// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "nests/elements.hpp"
#include "nests/pieces.hpp"

namespace hpcc::nests {

/// The loop of an `overall` over a run, or over a piece of one.
ast::NodePtr runLoop(Context& context, const Loop& loop, const std::string& run, ast::NodePtr body);

/// The loop of an `overall`, by `loopOver` of a run's name. If it is all of a nest and stores
/// element after element, its part up to the first cache line apart, by `loopOver` of a part's
/// name:
///
///     for (const hpspmd::detail::Part &i_part : hpspmd::detail::Parts::byLines(y_data,
///     i_run.first,
///         i_run.last)) for (Index i = i_part.first; i <= i_part.last; ++i) y_data[i] = f(i);
///
/// (Rows of several dimensions are too short for that, or start a line.)
ast::NodePtr loopByLines(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                         const std::string& run,
                         const std::function<ast::NodePtr(const std::string&)>& loopOver);

/// What follows the range where a run is made: `1, n - 2` of `1 : n - 2`, as `written`, or copied.
std::vector<ast::NodePtr> tripletArguments(
    Context& context, const Loop& overall,
    const std::function<ast::NodePtr(ast::NodePtr)>& written = nullptr);

/// The declaration of the global index of a loop as a constant of this name.
ast::NodePtr globalIndexOf(Context& context, const Loop& loop, const std::string& global,
                           const std::string& run);

/// The body with the global index of the loop, as a constant of this name, in front.
ast::NodePtr withGlobalIndex(Context& context, const Loop& loop, const std::string& global,
                             const std::string& run, ast::NodePtr body);

/// What the functions called inside may ask for: the active group restricted to the iteration.
ast::NodePtr activeGuard(Context& context, const Loop& loop);

/// What writes the pieces of a loop.
struct PieceLoops {
    std::string run, piece, start;  // names; the last one is of a piece's first global index
    std::function<ast::NodePtr(ast::NodePtr)> atStart;   // the fast form of a condition or cut
    std::function<ast::NodePtr(ast::NodePtr)> loopWith;  // the loop with this body, of a piece
};

/// A loop over the pieces, and in each the loop with the conditions known:
///
///     for (hpspmd::detail::Pieces i_piece(i_run, {.. at(0), .. behind(0)}, 1); ..) {
///         const hpspmd::Index i_start = i_piece.first + i_piece.origin;
///         if (i_start == 0) for (..) ..; else for (..) ..;
///     }
ast::NodePtr overPieces(Context& context, const Loop& loop, const Pieces& pieces,
                        const PieceLoops& loops);

}  // namespace hpcc::nests
