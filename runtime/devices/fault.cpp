// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/fault.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace hpspmd::devices {
namespace {

std::atomic<long> calls{0};

struct Chosen {
    long call = 0;  // 0: none
    bool isLasting = false;
};

Chosen chosenCall() {
    constexpr std::string_view prefix = "device:";
    const char* const value = std::getenv("HPSPMD_FAULT");
    if (value == nullptr || std::string_view(value).substr(0, prefix.size()) != prefix) return {};
    char* end = nullptr;
    const long call = std::strtol(value + prefix.size(), &end, 10);
    return {call, *end == '+'};
}

}  // namespace

bool isFault(const char* call) {
    static const Chosen chosen = chosenCall();
    if (chosen.call == 0) return false;
    const long number = ++calls;
    if (number == chosen.call && std::getenv("HPSPMD_LOG") != nullptr)
        std::fprintf(stderr, "hpspmd: call %ld of a driver, %s, fails (HPSPMD_FAULT)\n", number,
                     call);
    return number == chosen.call || (chosen.isLasting && number > chosen.call);
}

}  // namespace hpspmd::devices
