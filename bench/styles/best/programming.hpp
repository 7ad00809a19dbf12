// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic programming in each row, by hand: many rows at a time, a lane for each.
#pragma once
#include <cstdint>

#include "packs.hpp"

namespace styles::best::programming {

constexpr int length = 40;
/// Small numbers of as many rows.
using Many = std::int16_t __attribute__((vector_size(64)));
constexpr Index rowsAtOnce = 32;

inline Many larger(Many u, Many v) { return u > v ? u : v; }

/// The letters of rows from `rows` on, by columns; lanes behind the last row repeat it.
inline void letters(Many* columns, const double* rows, Index count) {
    std::int16_t place[length][rowsAtOnce];
    for (Index r = 0; r < rowsAtOnce; ++r) {
        const double* const row = rows + std::min(r, count - 1) * length;
        for (Index k = 0; k < length; ++k) place[k][r] = std::int16_t(4 * row[k]);
    }
    __builtin_memcpy(columns, place, sizeof place);
}
/// Writes the numbers of the rows, `more` of them added to the first one.
inline void put(double* rows, const Many* columns, Many more, Index count) {
    std::int16_t place[length][rowsAtOnce];
    __builtin_memcpy(place, columns, sizeof place);
    for (Index r = 0; r < count; ++r) {
        for (Index k = 0; k < length; ++k) rows[r * length + k] = place[k][r];
        rows[r * length] += more[r];
    }
}
/// Calls `apply(a, b, best)` for the letters of each 32 rows; it leaves its last line in `best` and
/// returns what is added to the first number.
template <class Apply>
void byManyRows(double* c, const double* a, const double* b, Index n, Apply apply) {
    for (Index i = 0; i < n; i += rowsAtOnce) {
        const Index count = std::min(rowsAtOnce, n - i);
        Many first[length], second[length], line[length] = {};
        letters(first, a + i * length, count);
        letters(second, b + i * length, count);
        const Many more = apply(first, second, line);
        put(c + i * length, line, more, count);
    }
}

inline void subsequence(double* c, const double* a, const double* b, Index n) {
    byManyRows(c, a, b, n, [](const Many* first, const Many* second, Many* line) {
        for (int s = 0; s < length; ++s) {
            Many diagonal = {}, left = {};
            for (int t = 0; t < length; ++t) {
                const Many above = line[t];
                left = first[s] == second[t] ? diagonal + 1 : larger(above, left);
                line[t] = left;
                diagonal = above;
            }
        }
        return Many{};
    });
}

inline void align(double* c, const double* a, const double* b, Index n) {
    byManyRows(c, a, b, n, [](const Many* first, const Many* second, Many* line) {
        Many best = {};
        for (int s = 0; s < length; ++s) {
            Many diagonal = {}, left = {};
            for (int t = 0; t < length; ++t) {
                const Many above = line[t];
                const Many same = diagonal + (first[s] == second[t] ? Many{} + 2 : Many{} - 1);
                left = larger(larger(same, above - 1), larger(left - 1, Many{}));
                best = larger(best, left);
                line[t] = left;
                diagonal = above;
            }
        }
        return best;
    });
}

constexpr int capacity = 64, things = 16;
/// What the pieces of eight before and of `far` pieces before that hold `weight` places further
/// down, with a thing's value; `line` begins with a piece of impossible values.
template <int far>
inline void take(Pack* line, int weight, double value) {
    const Places from = Places{8, 9, 10, 11, 12, 13, 14, 15} - (weight - far * int(lanes));
    for (int p = capacity / lanes; p > 0; --p) {
        const Pack with = bench::chosen(line[std::max(p - 1 - far, 0)], line[p - far], from);
        line[p] = most(with + value, line[p]);
    }
}
/// Each row by itself, which stays in registers.
inline void knapsack(double* c, const double* a, const double* b, Index n) {
    for (Index i = 0; i < n; ++i, a += capacity, b += capacity, c += capacity) {
        Pack line[1 + capacity / lanes] = {};
        line[0] = all(-1e300);
        for (int k = 0; k < things; ++k) {
            const int weight = int(8 * a[k]);
            weight < lanes ? take<0>(line, weight, b[k]) : take<1>(line, weight, b[k]);
        }
        for (int p = 0; p < capacity / lanes; ++p) pack(c + p * lanes) = line[p + 1];
    }
}

}  // namespace styles::best::programming
