// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Reductions of arrays that lie on a device, computed there.

#include "schedule/local_rows.hpp"

namespace hpspmd::detail {

/// Takes up the elements of the rows where they are. False, and nothing has happened, if that is at
/// home, or if the device does not do it. DeviceError.
bool reducedOnDevice(const plan::Product<rowPlaces>& rows, const Call& call,
                     const Operands& operands, const Accumulator& accumulator);

}  // namespace hpspmd::detail
