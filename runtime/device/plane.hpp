// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Copies of elements by kernels of the library, between two places that the device reaches.

#include <hpspmd/where.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::detail {

class Backend;
struct KernelText;

/// Element (i, j) of counts[0] x counts[1] lies i * steps[0] + j * steps[1] elements from where the
/// first one does.
struct MovedPlane {
    std::array<Index, 2> counts;
    std::array<Index, 2> toSteps, fromSteps;
};

/// Elements anywhere. For each of them two numbers that lie on the device: where it goes to, and
/// where it is, in elements. No two go to one place.
struct MovedList {
    Index count;
    const std::byte* places;
};

/// What a kernel copies.
enum class Moves : unsigned char { Planes, Lists };

/// Why the device does not copy elements of that size, or an empty text.
std::string prepareMoves(Backend& device, std::size_t elementSize, Moves moves = Moves::Planes);

/// Of all sizes of elements, each with wide strides.
std::vector<const KernelText*> moveKernels();

/// Of elements of that size.
const KernelText& moveKernel(std::size_t elementSize, Moves moves);
/// An element consists of words of so many bytes there.
std::size_t wordSizeOf(std::size_t elementSize);

/// In the order of its queue; the two places have nothing in common. False if it has not been
/// started. After prepareMoves().
bool move(Backend& device, std::byte* to, const std::byte* from, const MovedPlane& plane,
          std::size_t elementSize);
bool move(Backend& device, std::byte* to, const std::byte* from, const MovedList& list,
          std::size_t elementSize);

}  // namespace hpspmd::detail
