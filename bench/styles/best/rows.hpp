// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrences in each row, by hand: eight rows at a time, the columns of which are packs.
#pragma once
#include "packs.hpp"

namespace styles::best::rows {

constexpr int width = 64;

inline void prefix(double* c, const double* a, const double*, Index n) {
    byEights(n, [=](Index i) {
        Pack sum = {};
        for (Index k = 0; k < width; k += lanes) {
            Pack p[lanes];
            for (Index r = 0; r < lanes; ++r) p[r] = pack(a + (i + r) * width + k);
            transpose(p);
            for (Index r = 0; r < lanes; ++r) p[r] = sum += p[r];
            transpose(p);
            for (Index r = 0; r < lanes; ++r) pack(c + (i + r) * width + k) = p[r];
        }
    });
}

/// Two times eight rows at once, since a step waits for the one before.
inline void thomas(double* c, const double* a, const double* b, Index n) {
    constexpr Index parts = 2, together = parts * lanes;
    for (Index i = 0; i < n; i += together) {
        const Index first = std::min(i, n - together) * width;
        Pack up[parts][width], right[parts][width];
        for (Index s = 0; s < parts; ++s) {
            load(up[s], a + first + s * lanes * width, width);
            load(right[s], b + first + s * lanes * width, width);
        }
        Pack lastUp[parts] = {}, last[parts] = {};
        for (Index k = 0; k < width; ++k)
            for (Index s = 0; s < parts; ++s) {
                const Pack pivot = 1 / (3 + up[s][k] + lastUp[s]);
                up[s][k] = lastUp[s] = -pivot;
                right[s][k] = last[s] = (right[s][k] + last[s]) * pivot;
            }
        for (Index k = width - 2; k >= 0; --k)
            for (Index s = 0; s < parts; ++s)
                right[s][k] = last[s] = right[s][k] - up[s][k] * last[s];
        for (Index s = 0; s < parts; ++s) store(c + first + s * lanes * width, right[s], width);
    }
}

inline void deriche(double* c, const double* a, const double*, Index n) {
    byEights(n, [=](Index i) {
        Pack in[width], out[width];
        load(in, a + i * width, width);
        Pack before = {}, y1 = {}, y2 = {};
        for (Index k = 0; k < width; ++k) {
            const Pack y = 0.5 * y1 + (0.3 * in[k] + 0.1 * before - 0.1 * y2);
            before = in[k];
            y2 = y1;
            out[k] = y1 = y;
        }
        Pack after = {}, after2 = {}, z1 = {}, z2 = {};
        for (Index k = width - 1; k >= 0; --k) {
            const Pack z = 0.5 * z1 + (0.2 * after - 0.1 * after2 - 0.1 * z2);
            after2 = after;
            after = in[k];
            z2 = z1;
            out[k] += z1 = z;
        }
        store(c + i * width, out, width);
    });
}

constexpr int half = width / 2;
struct Roots {
    double real[half], imaginary[half];
    Roots() {
        for (int k = 0; k < half; ++k) {
            real[k] = std::cos(2 * M_PI * k / width);
            imaginary[k] = -std::sin(2 * M_PI * k / width);
        }
    }
};
inline void fourier(double* c, const double* a, const double* b, Index n) {
    static const Roots roots;
    for (Index k = 0; k < half; k += lanes) {
        const Pack real = pack(roots.real + k), imaginary = pack(roots.imaginary + k);
        for (Index i = k; i < n * width + k; i += width) {
            const Pack a1 = pack(a + i), a2 = pack(a + i + half);
            const Pack b1 = pack(b + i), b2 = pack(b + i + half);
            const Pack re = a1 + a2, im = b1 + b2, dr = a1 - a2, di = b1 - b2;
            const Pack tr = dr * real - di * imaginary, ti = dr * imaginary + di * real;
            pack(c + i) = re * re + im * im;
            pack(c + i + half) = tr * tr + 2 * ti * ti;
        }
    }
}

}  // namespace styles::best::rows
