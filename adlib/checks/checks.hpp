// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/operand.hpp>
#include <vector>

namespace hpspmd::detail {

// The demands of collectives. Each throws an AdlibError that names the call, the arrays and what
// differs; all depend only on what every member of the APG knows.

/// All processes that hold the array take part in the call.
void requireContained(const Call& call, const Operand& array);

/// Equal ranks and extents.
void requireSameShape(const Call& call, const Operand& a, const Operand& b);

/// Equal groups and, per dimension, ranges that put equal elements on equal coordinates; ghost
/// widths do not count.
void requireAligned(const Call& call, const Operand& a, const Operand& b);

/// `reduced` has a's dimensions without d, aligned with them, and is replicated over d's process
/// dimension.
void requireAlignedWithout(const Call& call, const Operand& reduced, const Operand& a, int d);

/// 0 <= d < rank of the array.
void requireDimension(const Call& call, const Operand& array, int d);

/// No element of one array is an element of the other, on any process. Collective over the APG if
/// they are sections of one array: the processes tell each other what they found, once for each
/// pair of layouts.
void requireDisjoint(const Call& call, const Operand& a, const Operand& b);

/// A schedule was given arrays that are not laid out like those that it was made for.
[[noreturn]] void raiseOtherLayouts(const Call& call);

/// "10 x 20"; "one element" for rank 0.
std::string shapeText(const Descriptor& array);

}  // namespace hpspmd::detail
