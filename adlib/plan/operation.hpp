// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>

#include "plan/layout.hpp"
#include "plan/origin.hpp"
#include "plan/pairing.hpp"
#include "plan/plan.hpp"

namespace hpspmd::detail::plan {

/// Dimension `to` of the destination takes its elements from dimension `from` of the source.
struct Join {
    int to, from;
    std::unique_ptr<Pairing> pairing;
};

/// A communication between two arrays: one join per dimension.
struct Operation {
    Layout to, from;
    std::vector<Join> joins;
    bool skipsInPlace = false;   ///< leaves out products of links that are all in place
    bool redistributes = false;  ///< the partners of a process together take all that it holds
    /// The whole destination, if `to` is only its first copies, which pass on what they get.
    std::optional<Layout> copies = {};
    Origin origin = {};
};

/// Messages of at least so many elements are prepared to be read where they lie in the source; of a
/// redistribution in whole cache lines, from a sixteenth of that on. To be changed by tests only,
/// on all processes alike.
extern Index longMessage;

/// What `process` does in the operation. Each copy of a replicated destination is written, from the
/// copy of the source nearest to it (Layout::nearest), or passed on by another copy. Of processes p
/// and q, p's messages to q list the same regions in the same order as q's from p, though each
/// process computes its own plan alone. O(own blocks + partners).
Plan planFor(const Operation& operation, int process);

}  // namespace hpspmd::detail::plan
