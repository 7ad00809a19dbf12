// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/descriptor.hpp>

#include "plan/origin.hpp"
#include "plan/product.hpp"

namespace hpspmd::detail::plan {

/// True if each coordinate of the range holds one stretch of it, with those of higher coordinates
/// all above, or all below. That is what a scan along it needs.
bool isInSequence(const Range& x);

/// What one process does in a scan along d of aligned arrays whose ranges there are in sequence.
struct ScanPlan {
    /// What a process passes on in one step: to one that comes after it, and from one that comes
    /// before it; -1: nobody.
    struct Step {
        int to, from;
    };

    Product<2> lines;  ///< rows along d; places: destination, source
    Index count = 0;   ///< of lines
    /// By doubling distance among those that share the lines and hold some of their elements.
    std::vector<Step> steps;
    Origin origin = {};
};

ScanPlan scan(const Descriptor& to, const Descriptor& from, int d, int process);

}  // namespace hpspmd::detail::plan
