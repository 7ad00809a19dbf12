// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fault.hpp"

#include "launcher.hpp"

#include <hpspmd/environment.hpp>

#include <algorithm>
#include <cstdlib>

namespace hpspmd::detail {
namespace {

long calls = 0;

// The number of the call that fails here; 0 if none does.
long chosenCall() {
    const char* const value = std::getenv("HPSPMD_FAULT");
    if (value == nullptr) return 0;
    char* end = nullptr;
    const long process = std::strtol(value, &end, 10);
    if (*end != ':' || process != std::max(launcherRank(), 0)) return 0;
    return std::strtol(end + 1, nullptr, 10);
}

}  // namespace

bool isFault() {
    static const long chosen = chosenCall();
    return ++calls == chosen;
}

long faultableCalls() { return calls; }

}  // namespace hpspmd::detail
