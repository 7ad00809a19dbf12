// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Launches of kernels that check subscripts in each iteration (FIT of hpspmd/device/kernel.hpp).
/// The host does not wait for them: whoever waits for a device for another reason looks at what
/// they have found, before anybody sees an element that they have computed.
///
/// Each device notes it in words of its own. The first one is the number of the launch that has
/// been the first to come to a subscript beyond a dimension, 0 if there is none. Behind it stands,
/// for each check of that launch, the largest such subscript, as far as an int goes, plus 2^31.

#include "device/backend.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace hpspmd::detail {

/// Of one kernel. One with more runs on the host.
inline constexpr std::size_t mostChecks = 4095;
inline constexpr std::size_t foundWords = mostChecks + 1;
inline constexpr std::size_t foundBytes = foundWords * sizeof(std::uint32_t);

/// Of a launch of that kernel; null if it checks nothing.
kernels::Checks* checksOf(const KernelText& kernel, void** arguments);

/// Numbers the launch, and remembers it if it has been started.
bool launchChecked(Backend& device, const KernelText& kernel, kernels::Checks& checks,
                   const std::function<bool()>& start);

/// requireFitting() of a program that ends by another error: who waits may not come back.
void requireFittingWithin(double seconds);

}  // namespace hpspmd::detail
