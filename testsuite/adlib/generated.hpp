// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Cases made of random choices: process grids, arrays of all formats, sections of either sign,
/// ghost cells, replication, empty blocks. A case is the same on every process and in every world
/// of the same size, so a plan test and an MPI test run the same cases, and its choices reproduce a
/// failure.

#include <hpspmd/descriptor.hpp>
#include <string>
#include <vector>

#include "random.hpp"

namespace hpspmd::test {

/// An array or section without memory: every process of the group has `slots` slots, and the
/// element with local subscripts 0 is slot `offset`.
struct TestArray {
    Group group;
    std::vector<detail::Map> maps;
    Index offset = 0;
    Index slots = 0;

    int rank() const { return static_cast<int>(maps.size()); }
    detail::Descriptor layout() const { return {group, maps.data(), rank()}; }
};

using Indices = std::vector<Index>;

/// A grid of some of the processes of the APG, rank 0 to 4.
Group randomGrid(Random& random, int processes);

/// An array of the given shape on the grid or a part of it; `ghosts`: with ghost cells where
/// possible.
TestArray randomArray(Random& random, const Group& grid, const Indices& shape, bool ghosts);

/// An array aligned with another one (which may be a section), with its own memory.
TestArray alignedArray(const TestArray& array);
/// The same without dimension d.
TestArray alignedWithout(const TestArray& array, int d);

Indices randomShape(Random& random, int rank);

/// The next tuple in row-major order; false after the last one.
bool advance(Indices& index, const Indices& shape);
/// True if there is no tuple at all.
bool isEmpty(const Indices& shape);
/// Calls f(index) for all tuples of the shape, in row-major order.
template <class F>
void forEachIndex(const Indices& shape, const F& f) {
    if (isEmpty(shape)) return;
    Indices index(shape.size(), 0);
    do f(index);
    while (advance(index, shape));
}

/// The slot of an element on a process, -1 if the process does not hold it. Asks Range::location
/// only, while plans are made from blocks.
Index slotOf(const TestArray& array, const Indices& index, int process);

/// Distinct for all elements of an array: 1 + its row-major position.
std::int64_t valueOf(const Indices& index, const Indices& shape);

std::string describe(const TestArray& array);

}  // namespace hpspmd::test
