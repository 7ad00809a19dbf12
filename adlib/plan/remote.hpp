// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/descriptor.hpp>

#include "plan/overlap.hpp"
#include "plan/plan.hpp"

namespace hpspmd::detail::plan {

/// Elements of a section that one process holds and those of a local array that stand for them.
struct RemotePart {
    std::vector<int> holders;  ///< the nearest to the asking process first
    Product<2> elements;       ///< place 0 is the local array, place 1 the section
};

/// Where the elements of a section lie, as seen by `process`; the local array, which is not
/// distributed, has the same shape. O(coordinates of the section + blocks).
std::vector<RemotePart> remoteParts(const Descriptor& local, const Descriptor& section,
                                    int process);

/// Where elements lie in one of their two places.
Region placeOf(const Product<2>& elements, End place);

/// Rows of elements, as forEachRow sees them.
Index rowsOf(const Region& region);

}  // namespace hpspmd::detail::plan
