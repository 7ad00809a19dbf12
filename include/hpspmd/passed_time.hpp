// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Time that has passed since a moment, for those who ask too often for a clock: it takes half as
/// long to read.

#include <cstdint>

namespace hpspmd::detail {

/// This moment: what the processor counts where that is steady, else the clock.
std::uint64_t moment();
double nanosecondsSince(std::uint64_t moment);

}  // namespace hpspmd::detail
