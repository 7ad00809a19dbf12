// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>
#include <hpspmd/descriptor.hpp>
#include <vector>

namespace hpspmd::detail::files {

/// Who handles the elements of a piece: each process a part of it, in the order of their ranks, or
/// the first process all.
enum class Handled { ByAll, ByFirst };

/// Consecutive elements of an array in row-major order, of which this process handles some.
struct Piece {
    std::vector<Map> array;    ///< the part of the array
    std::vector<Map> handled;  ///< the same elements, distributed over `group` as they are handled
    Group group;
    Index first = 0;  ///< of this process's elements, counted in the whole array
    Index count = 0;  ///< of this process's elements
};

/// All pieces in order, of at most 8 MiB for each process that handles them, the same on all
/// processes of the APG.
void forEachPiece(const Descriptor& array, Index elementSize, Handled handled,
                  const std::function<void(const Piece&)>& action);

/// From now on pieces have at most so many bytes; for tests, on all processes alike.
void setPieceBytes(Index bytes);

}  // namespace hpspmd::detail::files
