// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/descriptor.hpp>

#include "plan/plan.hpp"

namespace hpspmd::detail::plan {

/// The amounts of a skew, as one process holds them: an array with the dimensions of the skewed
/// ones but d, aligned with those, and its element at an offset from data().
struct Amounts {
    Descriptor layout;
    std::function<Index(Index offset)> at;
};

/// What `process` does in to[.., x, ..] = from[.., x + amounts[..], ..] in dimension d of aligned
/// arrays; `cyclic`: modulo the extent, else elements without a source are left alone. The
/// processes along d know the amounts of the same lines, so each plans alone. O(lines of the
/// process x (own blocks along d + partners)).
Plan skew(const Descriptor& to, const Descriptor& from, const Amounts& amounts, int d, bool cyclic,
          int process);

}  // namespace hpspmd::detail::plan
