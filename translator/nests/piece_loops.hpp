// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "nests/pieces.hpp"

namespace hpcc::nests {

/// The loop of an `overall` over a run, or over a piece of one.
ast::NodePtr runLoop(Context& context, const Loop& loop, const std::string& run, ast::NodePtr body);

/// What follows the range where a run is made: `1, n - 2` of `1 : n - 2`, as `written`, or copied.
std::vector<ast::NodePtr> tripletArguments(
    Context& context, const Loop& overall,
    const std::function<ast::NodePtr(ast::NodePtr)>& written = nullptr);

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
