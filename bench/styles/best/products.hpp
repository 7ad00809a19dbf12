// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices, by hand: register tiles.
#pragma once
#include "../../tile.hpp"
#include "packs.hpp"

namespace styles::best::products {

/// c of a and b, all by rows `stride` apart, and memory for two matrices more.
struct Matrices {
    double* c;
    const double *a, *b;
    double *s, *t;
    Index n, stride;
};
/// A product of which the result is a sum.
struct Factors {
    const double *left, *right;
};
/// Of which elements of c, and whether the left factor is an upper triangle.
enum class Shape { whole, lower, upperLeft };

/// c = keep * c + the products.
template <Shape shape>
inline void add(const Matrices& m, double keep, std::initializer_list<Factors> products) {
    using namespace bench;
    for (Index j = 0; j < m.n; j += tileColumns)
        for (Index i = 0; i < m.n; i += tileRows) {
            const Index rows = std::min(tileRows, m.n - i),
                        columns = std::min(tileColumns, m.n - j);
            if (shape == Shape::lower && i + rows <= j) continue;
            const Index first = shape == Shape::upperLeft ? i : 0;
            alignas(64) double tile[tileRows * tileColumns] = {};
            for (const Factors& f : products)
                multiplyTile(rows, columns, tile, f.left + i * m.stride + first, m.stride, 1,
                             f.right + first * m.stride + j, m.stride, m.n - first);
            for (Index r = 0; r < rows; ++r) {
                double* const to = m.c + (i + r) * m.stride + j;
                const Index end =
                    shape == Shape::lower ? std::min(columns, i + r - j + 1) : columns;
                for (Index s = 0; s < end; ++s) to[s] = keep * to[s] + tile[r * tileColumns + s];
            }
        }
}
/// to[k][j] = from[j][k]
inline void turn(double* to, const double* from, const Matrices& m) {
    for (Index j = 0; j < m.n; j += lanes)
        for (Index k = 0; k < m.n; k += lanes) {
            Pack p[lanes];
            for (Index r = 0; r < lanes; ++r) p[r] = pack(from + (j + r) * m.stride + k);
            transpose(p);
            for (Index r = 0; r < lanes; ++r) pack(to + (k + r) * m.stride + j) = p[r];
        }
}

inline void symm(const Matrices& m) {
    turn(m.s, m.a, m);
    for (Index i = 0; i < m.n; ++i) std::copy_n(m.a + i * m.stride, i + 1, m.s + i * m.stride);
    add<Shape::whole>(m, 0.5, {{m.s, m.b}});
}
inline void syrk(const Matrices& m) {
    turn(m.s, m.a, m);
    add<Shape::lower>(m, 0.5, {{m.a, m.s}});
}
inline void syr2k(const Matrices& m) {
    turn(m.s, m.a, m);
    turn(m.t, m.b, m);
    add<Shape::lower>(m, 0.5, {{m.b, m.s}, {m.a, m.t}});
}
inline void trmm(const Matrices& m) {
    for (Index i = 0; i < m.n; ++i) {
        double* const row = m.s + i * m.stride;
        for (Index k = i / lanes * lanes; k < i; ++k) row[k] = 0;
        row[i] = 1;
        std::copy_n(m.a + i * m.stride + i + 1, m.n - i - 1, row + i + 1);
    }
    add<Shape::upperLeft>(m, 0, {{m.s, m.b}});
}
inline void productOfSums(const Matrices& m) {
    for (Index k = 0; k < m.n * m.stride; k += lanes) {
        const Pack u = pack(m.a + k), v = pack(m.b + k);
        pack(m.s + k) = u + v;
        pack(m.t + k) = u - v;
    }
    add<Shape::whole>(m, 0, {{m.s, m.t}});
}

template <void (*apply)(const Matrices& m)>
Result multiplied(Index n, long iterations) {
    const Index rows = (n + lanes - 1) / lanes * lanes;  // turned by eights
    Rows a(rows, rows), b(rows, rows), c(rows, rows), s(rows, rows), t(rows, rows);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) a[i][j] = start(i, j) / double(n), b[i][j] = start(i, j, 1);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        apply({c[0], a[0], b[0], s[0], t[0], n, a.stride});
        finish(c[0]);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(c.sum());
}

}  // namespace styles::best::products
