// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the fake drivers have in common. HPSPMD_FAULT makes single calls fail, of real ones too.

#include <cstdlib>

namespace fake {

/// What a call of CUDA gives that is about to do its work: 0, or an error.
int beginCall();

inline bool isSet(const char* variable) { return std::getenv(variable) != nullptr; }

}  // namespace fake
