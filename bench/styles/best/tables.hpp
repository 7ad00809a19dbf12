// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of data, by hand: rows of three packs.
#pragma once
#include <cstdint>

#include "packs.hpp"

namespace styles::best::tables {

constexpr int width = 24, packs = width / lanes;

/// The sums of products of columns `first` .. `first + count - 1`, all in pack `first / 8`, with
/// those of this pack and the ones behind.
template <int first, int count>
inline void products(double (*sums)[width], const double* from, Index n) {
    constexpr int begin = first / lanes, across = packs - begin;
    Pack sum[count][across] = {};
    for (Index i = 0; i < n; ++i, from += width) {
        Pack row[across];
        for (int s = 0; s < across; ++s) row[s] = pack(from + (begin + s) * lanes);
        for (int j = 0; j < count; ++j)
            for (int s = 0; s < across; ++s) sum[j][s] += from[first + j] * row[s];
    }
    for (int j = 0; j < count; ++j)
        for (int s = 0; s < across; ++s) pack(sums[first + j] + (begin + s) * lanes) = sum[j][s];
}
inline void covariance(double* c, const double* a, const double*, Index n) {
    static std::vector<double> memory;
    memory.resize(std::size_t(n * width + lanes));
    Pack mean[packs] = {};
    for (Index k = 0; k < n * width; k += width)
        for (int s = 0; s < packs; ++s) mean[s] += pack(a + k + s * lanes);
    for (Pack& each : mean) each /= double(n);
    for (Index k = 0; k < n * width; k += width)
        for (int s = 0; s < packs; ++s)
            pack(memory.data() + k + s * lanes) = pack(a + k + s * lanes) - mean[s];
    double sums[width][width];
    products<0, 8>(sums, memory.data(), n);
    products<8, 8>(sums, memory.data(), n);
    products<16, 8>(sums, memory.data(), n);
    for (int j = 0; j < width; ++j)
        for (int k = j; k < width; ++k) c[(j + k) % width] = sums[j][k] / double(n - 1);
}

constexpr int centres = 4;
/// Eight rows at a time find their nearest centres.
inline void means(double* c, const double* a, const double*, Index n) {
    double sums[centres][width] = {};
    long counts[centres] = {};
    for (Index from = 0; from < n; from += lanes) {
        const Index i = std::min(from, n - lanes);
        Pack columns[width], least = all(1e300), nearest = {};
        load(columns, a + i * width, width);
        for (int k = 0; k < centres; ++k) {
            Pack distance[2] = {};
            for (int j = 0; j < width; ++j) {
                const Pack d = columns[j] - (0.6 + 0.2 * k + 0.01 * j);
                distance[j % 2] += d * d;
            }
            distance[0] += distance[1];
            nearest = distance[0] < least ? all(k) : nearest;
            least = best::least(least, distance[0]);
        }
        for (Index r = from - i; r < lanes; ++r) {
            const int k = int(nearest[r]);
            ++counts[k];
            for (int s = 0; s < packs; ++s)
                pack(sums[k] + s * lanes) += pack(a + (i + r) * width + s * lanes);
        }
    }
    for (int k = 0; k < centres; ++k)
        for (int j = 0; j < width; ++j)
            c[k * width + j] = sums[k][j] / double(std::max(1L, counts[k]));
}

/// Eight tables of counts, so that no count waits for the one before.
inline void histogram(double* c, const double* a, const double*, Index n) {
    using Bins = std::int32_t __attribute__((vector_size(32)));
    constexpr int bins = 16;
    std::int32_t counts[lanes][bins] = {};
    for (Index k = 0; k < n * width; k += lanes) {
        const Pack scaled = (pack(a + k) - 0.5) * bins;
        const Bins bin = __builtin_convertvector(least(scaled, all(bins - 1)), Bins);
        for (Index l = 0; l < lanes; ++l) ++counts[l][bin[l]];
    }
    for (int b = 0; b < bins; ++b) {
        std::int32_t all = 0;
        for (Index l = 0; l < lanes; ++l) all += counts[l][b];
        c[b] = all;
    }
}

}  // namespace styles::best::tables
