// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Descriptor: what a library needs to know about an array, apart from its element type and
/// address.

#include <hpspmd/range.hpp>

namespace hpspmd::detail {

class Ghosts;

/// One dimension: element of local subscript s lies s * stride elements from the origin.
struct Map {
    Range range;
    Index stride = 0;
};

/// Group and maps of an array; refers to the array's own maps, so copy those if it must outlive the
/// handle. The element at local subscripts s lies at data + sum of maps[r].stride * s[r].
struct Descriptor {
    Group group;
    const Map* maps = nullptr;
    int rank = 0;
    Ghosts* ghosts = nullptr;  ///< the stamps of the storage; null if it has no ghost cells

    const Map& operator[](int r) const { return maps[r]; }
    const Map* begin() const { return maps; }
    const Map* end() const { return maps + rank; }
};

}  // namespace hpspmd::detail
