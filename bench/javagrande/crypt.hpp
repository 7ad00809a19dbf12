// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of JavaGrande Crypt.
#pragma once

#include "javagrande.hpp"

#include <array>

namespace javagrande {

using Keys = std::array<int, 52>;

// x with multiply(x, inverse(x)) == 1, by Euclid's algorithm.
inline int inverse(int x) {
    if (x <= 1) return x;
    int t1 = 0x10001 / x, y = 0x10001 % x, t0 = 1;
    if (y == 1) return (1 - t1) & 0xffff;
    do {
        const int q = x / y;
        x = x % y;
        t0 += q * t1;
        if (x == 1) return t0;
        const int r = y / x;
        y = y % x;
        t1 += r * t0;
    } while (y != 1);
    return (1 - t1) & 0xffff;
}

inline Keys encryptionKeys(const std::array<int, 8>& user) {
    Keys z{};
    for (int i = 0; i < 8; ++i) z[i] = user[i];
    for (int i = 8; i < 52; ++i) {
        const int k = i % 8;
        const int a = k == 7 ? i - 15 : i - 7, b = k < 6 ? i - 6 : i - 14;
        z[i] = ((z[a] << 9) | (z[b] >> 7)) & 0xffff;
    }
    return z;
}

inline Keys decryptionKeys(const Keys& z) {
    Keys d{};
    for (int round = 0; round <= 8; ++round) {
        const int from = 48 - 6 * round, to = 6 * round;
        const bool isOuter = round == 0 || round == 8;
        d[to] = inverse(z[from]);
        d[to + 1] = -z[from + (isOuter ? 1 : 2)] & 0xffff;
        d[to + 2] = -z[from + (isOuter ? 2 : 1)] & 0xffff;
        d[to + 3] = inverse(z[from + 3]);
        if (round == 8) break;
        d[to + 4] = z[from - 2];
        d[to + 5] = z[from - 1];
    }
    return d;
}

}  // namespace javagrande
