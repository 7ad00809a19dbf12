// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Links the kinds of devices with programs that have kernels.

namespace hpspmd::detail {

bool registerCuda();
bool registerOpenCl();
inline const bool cudaIsRegistered [[maybe_unused]] = registerCuda();
inline const bool openClIsRegistered [[maybe_unused]] = registerOpenCl();

}  // namespace hpspmd::detail
