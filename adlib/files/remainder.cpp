// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/remainder.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hpspmd::detail::files {
namespace {

// Bit 31 is the coefficient of x^0, bit 0 that of x^31; the polynomial is that of IEEE 802.3.
constexpr std::uint32_t polynomial = 0xedb88320;
constexpr std::uint32_t one = 1U << 31;

constexpr std::uint32_t timesX(std::uint32_t a) { return (a >> 1) ^ (a & 1 ? polynomial : 0); }

/// Eight bytes at a time: tables[k][b] is the remainder of byte b with k zeros behind it.
constexpr auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t a = b;
        for (int bit = 0; bit < 8; ++bit) a = timesX(a);
        tables[0][b] = a;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b)
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 255];
    return tables;
}();

std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    std::uint32_t sum = 0;
    for (std::uint32_t bit = one; bit != 0; bit >>= 1) {
        if (a & bit) sum ^= b;
        b = timesX(b);
    }
    return sum;
}

/// The remainder with eight more bytes.
std::uint32_t behindWord(std::uint32_t a, const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    word ^= a;
    a = 0;
    for (std::size_t k = 0; k < 8; ++k) a ^= tables[7 - k][word >> (8 * k) & 255];
    return a;
}

/// The remainder with further bytes.
std::uint32_t behind(std::uint32_t a, const char* bytes, Index count) {
    for (; count >= 8; count -= 8, bytes += 8) a = behindWord(a, bytes);
    for (; count > 0; --count, ++bytes)
        a = (a >> 8) ^ tables[0][(a ^ static_cast<unsigned char>(*bytes)) & 255];
    return a;
}

#if defined(__x86_64__)
constexpr Index lane = 16, lanes = 4;

__m128i loaded(const char* bytes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

/// `a` as far in front of `next` as the powers say: x^(d + 32) and x^(d - 32) for d bits.
__attribute__((target("pclmul"))) __m128i folded(__m128i a, __m128i powers, __m128i next) {
    const __m128i low = _mm_clmulepi64_si128(a, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(a, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// Products without carries bring all bytes to 16 with the same remainder. "Fast CRC Computation
/// for Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009.
__attribute__((target("pclmul"))) std::uint32_t byProducts(const char* bytes, Index count) {
    const __m128i far = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);   // 4 lanes
    const __m128i near = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);  // one
    __m128i sums[lanes];
    for (Index k = 0; k < lanes; ++k) sums[k] = loaded(bytes + k * lane);
    const Index end = count / (lanes * lane) * (lanes * lane);
    for (Index at = lanes * lane; at < end; at += lanes * lane)
        for (Index k = 0; k < lanes; ++k)
            sums[k] = folded(sums[k], far, loaded(bytes + at + k * lane));
    for (Index k = 1; k < lanes; ++k) sums[k] = folded(sums[k - 1], near, sums[k]);
    char rest[lane];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rest), sums[lanes - 1]);
    return behind(behind(0, rest, lane), bytes + end, count - end);
}
#endif

}  // namespace

std::uint32_t remainderByTables(const char* bytes, Index count) {
    // Several stretches side by side, as each step waits for the one before.
    constexpr Index stretches = 4;
    constexpr Index worthwhile = 1 << 14;
    const Index length = count < worthwhile ? 0 : count / (8 * stretches) * 8;
    std::uint32_t remainders[stretches] = {};
    for (Index k = 0; k < length; k += 8)
        for (Index s = 0; s < stretches; ++s)
            remainders[s] = behindWord(remainders[s], bytes + s * length + k);
    std::uint32_t a = 0;
    for (const std::uint32_t each : remainders) a = moved(a, length) ^ each;
    return behind(a, bytes + stretches * length, count - stretches * length);
}

std::uint32_t remainderOf(const char* bytes, Index count) {
#if defined(__x86_64__)
    if (count >= lanes * lane && __builtin_cpu_supports("pclmul")) return byProducts(bytes, count);
#endif
    return remainderByTables(bytes, count);
}

std::uint32_t moved(std::uint32_t remainder, Index behind) {
    std::uint32_t power = one, square = one >> 8;  // x^0 and x^8
    for (; behind > 0; behind >>= 1) {
        if (behind & 1) power = product(power, square);
        square = product(square, square);
    }
    return product(remainder, power);
}

std::uint32_t crcOf(std::uint32_t remainder, Index count) {
    return ~(remainder ^ moved(~std::uint32_t{0}, count));
}

}  // namespace hpspmd::detail::files
