// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace hpspmd::detail {

/// With HPSPMD_DEBUG_WAIT=K or all, process K, or each, says how a debugger attaches to it and
/// waits until one does.
void waitForDebugger(int process);

}  // namespace hpspmd::detail
