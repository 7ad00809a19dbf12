// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Copies of regular sets of elements by a kernel of the library, between two places that the
/// device reaches.

#include <hpspmd/where.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace hpspmd::detail {

class Backend;

/// Element (i, j) of counts[0] x counts[1] lies i * steps[0] + j * steps[1] elements from where the
/// first one does.
struct MovedPlane {
    std::array<Index, 2> counts;
    std::array<Index, 2> toSteps, fromSteps;
};

/// Why the device does not copy elements of that size, or an empty text.
std::string prepareMoves(Backend& device, std::size_t elementSize);

/// In the order of its queue; the two places have nothing in common. False if it has not been
/// started. After prepareMoves().
bool move(Backend& device, std::byte* to, const std::byte* from, const MovedPlane& plane,
          std::size_t elementSize);

}  // namespace hpspmd::detail
