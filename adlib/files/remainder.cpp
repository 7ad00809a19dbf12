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

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    std::uint32_t sum = 0;
    for (std::uint32_t bit = one; bit != 0; bit >>= 1) {
        if (a & bit) sum ^= b;
        b = timesX(b);
    }
    return sum;
}

/// The remainder of x^bits.
constexpr std::uint32_t power(Index bits) {
    std::uint32_t power = one;
    for (std::uint32_t square = one >> 1; bits > 0; bits >>= 1, square = product(square, square))
        if (bits & 1) power = product(power, square);
    return power;
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
// Products without carries bring all bytes to a few with the same remainder. "Fast CRC Computation
// for Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009.
constexpr Index lanes = 4;

/// What brings 16 bytes so many bytes forward.
template <Index distance>
constexpr auto low = static_cast<long long>(power(8 * distance + 32)) << 1;
template <Index distance>
constexpr auto high = static_cast<long long>(power(8 * distance - 32)) << 1;

/// The bytes of `a` as far in front of `next` as the powers say.
__attribute__((target("pclmul"))) __m128i folded(__m128i a, __m128i powers, __m128i next) {
    const __m128i low = _mm_clmulepi64_si128(a, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(a, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}
__attribute__((target("avx2,vpclmulqdq"))) __m256i folded(__m256i a, __m256i powers, __m256i next) {
    const __m256i low = _mm256_clmulepi64_epi128(a, powers, 0x00);
    const __m256i high = _mm256_clmulepi64_epi128(a, powers, 0x11);
    return _mm256_xor_si256(_mm256_xor_si256(low, high), next);
}
__attribute__((target("avx512f,vpclmulqdq"))) __m512i folded(__m512i a, __m512i powers,
                                                             __m512i next) {
    const __m512i low = _mm512_clmulepi64_epi128(a, powers, 0x00);
    const __m512i high = _mm512_clmulepi64_epi128(a, powers, 0x11);
    return _mm512_xor_si512(_mm512_xor_si512(low, high), next);
}

__attribute__((target("pclmul"))) std::uint32_t byProducts(std::uint32_t before, const char* bytes,
                                                           Index count) {
    constexpr Index lane = sizeof(__m128i), all = lanes * lane;
    const auto loaded = [](const char* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    };
    const __m128i far = _mm_set_epi64x(high<all>, low<all>);
    const __m128i near = _mm_set_epi64x(high<lane>, low<lane>);
    __m128i sums[lanes];
    for (Index k = 0; k < lanes; ++k) sums[k] = loaded(bytes + k * lane);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(static_cast<int>(before)));
    const Index end = count / all * all;
    for (Index at = all; at < end; at += all)
        for (Index k = 0; k < lanes; ++k)
            sums[k] = folded(sums[k], far, loaded(bytes + at + k * lane));
    for (Index k = 1; k < lanes; ++k) sums[k] = folded(sums[k - 1], near, sums[k]);
    char rest[lane];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rest), sums[lanes - 1]);
    return behind(behind(0, rest, lane), bytes + end, count - end);
}

/// Two times as many at once.
__attribute__((target("avx2,vpclmulqdq"))) std::uint32_t byPairs(std::uint32_t before,
                                                                 const char* bytes, Index count) {
    constexpr Index lane = sizeof(__m256i), all = lanes * lane;
    const auto* from = reinterpret_cast<const __m256i*>(bytes);
    const __m256i far = _mm256_set_epi64x(high<all>, low<all>, high<all>, low<all>);
    __m256i sums[lanes];
    for (Index k = 0; k < lanes; ++k) sums[k] = _mm256_loadu_si256(from + k);
    sums[0] = _mm256_xor_si256(sums[0], _mm256_set_epi64x(0, 0, 0, before));
    const Index blocks = count / all, end = blocks * all;
    for (Index at = lanes; at < blocks * lanes; at += lanes)
        for (Index k = 0; k < lanes; ++k)
            sums[k] = folded(sums[k], far, _mm256_loadu_si256(from + at + k));
    char rest[all];
    for (Index k = 0; k < lanes; ++k)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(rest) + k, sums[k]);
    return behind(byProducts(0, rest, all), bytes + end, count - end);
}

/// Four times as many at once: as fast as memory gives them.
__attribute__((target("avx512f,vpclmulqdq"))) std::uint32_t byWideProducts(std::uint32_t before,
                                                                           const char* bytes,
                                                                           Index count) {
    constexpr Index lane = sizeof(__m512i), all = lanes * lane;
    const __m512i far = _mm512_set4_epi64(high<all>, low<all>, high<all>, low<all>);
    __m512i sums[lanes];
    for (Index k = 0; k < lanes; ++k) sums[k] = _mm512_loadu_si512(bytes + k * lane);
    sums[0] = _mm512_xor_si512(sums[0], _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, before));
    const Index end = count / all * all;
    for (Index at = all; at < end; at += all)
        for (Index k = 0; k < lanes; ++k)
            sums[k] = folded(sums[k], far, _mm512_loadu_si512(bytes + at + k * lane));
    char rest[all];
    for (Index k = 0; k < lanes; ++k) _mm512_storeu_si512(rest + k * lane, sums[k]);
    return behind(byProducts(0, rest, all), bytes + end, count - end);
}
#endif

}  // namespace

std::uint32_t remainderByTables(const char* bytes, Index count, std::uint32_t before) {
    // Several stretches side by side, as each step waits for the one before.
    constexpr Index stretches = 4;
    constexpr Index worthwhile = 1 << 14;
    const Index length = count < worthwhile ? 0 : count / (8 * stretches) * 8;
    std::uint32_t remainders[stretches] = {before};
    for (Index k = 0; k < length; k += 8)
        for (Index s = 0; s < stretches; ++s)
            remainders[s] = behindWord(remainders[s], bytes + s * length + k);
    std::uint32_t a = 0;
    for (const std::uint32_t each : remainders) a = moved(a, length) ^ each;
    return behind(a, bytes + stretches * length, count - stretches * length);
}

std::uint32_t remainderOf(const char* bytes, Index count, std::uint32_t before) {
#if defined(__x86_64__)
    static const bool hasProducts = __builtin_cpu_supports("pclmul");
    static const bool hasVectors = hasProducts && __builtin_cpu_supports("vpclmulqdq");
    static const bool hasPairs = hasVectors && __builtin_cpu_supports("avx2");
    static const bool hasWide = hasVectors && __builtin_cpu_supports("avx512f");
    if (hasWide && count >= 4096) return byWideProducts(before, bytes, count);
    if (hasPairs && count >= 2048) return byPairs(before, bytes, count);
    if (hasProducts && count >= 64) return byProducts(before, bytes, count);
#endif
    return remainderByTables(bytes, count, before);
}

std::uint32_t moved(std::uint32_t remainder, Index behind) {
    return product(remainder, power(8 * behind));
}

std::uint32_t crcOf(std::uint32_t remainder, Index count) {
    return ~(remainder ^ moved(~std::uint32_t{0}, count));
}

}  // namespace hpspmd::detail::files
