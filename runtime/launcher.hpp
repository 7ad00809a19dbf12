// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which launcher started us, read from its environment variables.

#include <string>

namespace hpspmd::detail {

/// "" or, if a launcher says that it started several processes, which one and how many. To be asked
/// when MPI believes that we are alone.
std::string otherLauncher();

/// This process's rank as the launcher numbers it; -1 if there is none.
int launcherRank();

}  // namespace hpspmd::detail
