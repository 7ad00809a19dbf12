// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of vectors, by hand: several accumulators, each vector read once.
#pragma once
#include "packs.hpp"

namespace styles::best::measures {

using In = const double*;
constexpr int parts = 4;

inline double place(In a, In, Index n) {
    constexpr Index piece = 1024;
    double lowest = a[0];
    Index where = 0;
    for (Index first = 0; first < n; first += piece) {
        const Index end = std::min(first + piece, n);
        Pack low[parts];
        for (Pack& each : low) each = all(a[first]);
        Index i = first;
        for (; i + parts * lanes <= end; i += parts * lanes)
            for (int u = 0; u < parts; ++u) low[u] = least(low[u], pack(a + i + u * lanes));
        const Pack together = least(least(low[0], low[1]), least(low[2], low[3]));
        double here = a[first];
        for (Index k = 0; k < lanes; ++k) here = std::min(here, together[k]);
        for (; i < end; ++i) here = std::min(here, a[i]);
        if (here < lowest) lowest = here, where = first;
    }
    while (a[where] != lowest) ++where;
    return lowest + double(where);
}

STYLES_WIDE inline double bounds(In a, In, Index n) {
    double low = a[0], high = a[0];
#pragma omp simd reduction(min : low) reduction(max : high)
    for (Index i = 0; i < n; ++i) {
        low = a[i] < low ? a[i] : low;
        high = a[i] > high ? a[i] : high;
    }
    return high - low;
}

inline double variance(In a, In, Index n) {
    Pack sum[parts] = {}, squares[parts] = {};
    Index i = 0;
    for (; i + parts * lanes <= n; i += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack v = pack(a + i + u * lanes);
            sum[u] += v;
            squares[u] += v * v;
        }
    double s = 0, q = 0;
    for (; i < n; ++i) s += a[i], q += a[i] * a[i];
    for (int u = 0; u < parts; ++u) s += total(sum[u]), q += total(squares[u]);
    return (q - s * s / double(n)) / double(n - 1);
}

inline double norms(In a, In b, Index n) {
    Pack sum[parts] = {}, squares[parts] = {}, high[parts] = {};
    Index i = 0;
    for (; i + parts * lanes <= n; i += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack d = pack(a + i + u * lanes) - pack(b + i + u * lanes), size = most(d, -d);
            sum[u] += size;
            squares[u] += d * d;
            high[u] = most(high[u], size);
        }
    double s = 0, q = 0, highest = 0;
    for (; i < n; ++i) {
        const double d = std::fabs(a[i] - b[i]);
        s += d;
        q += d * d;
        highest = std::max(highest, d);
    }
    for (int u = 0; u < parts; ++u) {
        s += total(sum[u]);
        q += total(squares[u]);
        for (Index k = 0; k < lanes; ++k) highest = std::max(highest, high[u][k]);
    }
    return s + std::sqrt(q) + highest;
}

inline double count(In a, In, Index n) {
    Places found[parts] = {};
    Index i = 0;
    for (; i + parts * lanes <= n; i += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack v = pack(a + i + u * lanes);
            found[u] = (v > 0.7) & (v < 1.2) ? found[u] + 1 : found[u];
        }
    long result = 0;
    for (; i < n; ++i) result += (a[i] > 0.7) & (a[i] < 1.2);
    for (int u = 0; u < parts; ++u)
        for (Index k = 0; k < lanes; ++k) result += found[u][k];
    return double(result);
}

inline double regression(In a, In b, Index n) {
    Pack x[parts] = {}, y[parts] = {}, xx[parts] = {}, xy[parts] = {};
    Index i = 0;
    for (; i + parts * lanes <= n; i += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack v = pack(a + i + u * lanes), w = pack(b + i + u * lanes);
            x[u] += v;
            y[u] += w;
            xx[u] += v * v;
            xy[u] += v * w;
        }
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (; i < n; ++i) sx += a[i], sy += b[i], sxx += a[i] * a[i], sxy += a[i] * b[i];
    for (int u = 0; u < parts; ++u) {
        sx += total(x[u]), sy += total(y[u]);
        sxx += total(xx[u]), sxy += total(xy[u]);
    }
    return (double(n) * sxy - sx * sy) / (double(n) * sxx - sx * sx);
}

}  // namespace styles::best::measures
