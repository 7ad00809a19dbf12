// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Fingerprints: 64-bit numbers computed from contents, so that equal things have equal ones in
/// every process of a job, where addresses differ.

#include <cstdint>

namespace hpspmd::detail {

using Fingerprint = std::uint64_t;

constexpr Fingerprint mixed(Fingerprint print, std::uint64_t word) {
    print = (print ^ word) * 0x9E3779B97F4A7C15u;
    return print ^ (print >> 29);
}

constexpr Fingerprint mixed(Fingerprint print, const char* text) {
    for (; *text != 0; ++text) print = (print ^ static_cast<unsigned char>(*text)) * 0x100000001B3u;
    return mixed(print, std::uint64_t{0});
}

}  // namespace hpspmd::detail
