// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorizations and iterations, by hand: eight pivots in one sweep over the rows below them.
#pragma once
#include "packs.hpp"

namespace styles::best::solvers {

/// A matrix that a program changes, made anew for each step; its rows end with zeros.
template <void (*apply)(Rows& a, Index n), bool isSymmetric>
Result changed(Index n, long iterations) {
    const auto element = [n](Index i, Index j) {
        const double diagonal = i == j ? 2.0 * double(n) : 0;
        return (isSymmetric ? start(std::min(i, j), std::max(i, j)) : start(i, j)) + diagonal;
    };
    Rows given(n, n, 0, 0, element), a(n, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        std::copy_n(given[0], n * given.stride, a[0]);
        apply(a, n);
        finish(a[0]);
    }
    watch.pause();
    return watch.stop(a.sum());
}

/// The rows of up to eight pivots from k on.
struct Pivots {
    const double* rows;
    Index stride, k;
    double inverse[lanes];
};
/// Takes `count` pivots out of a row, from their own columns on.
template <int count>
inline void eliminate(double* row, const Pivots& p, Index n) {
    Pack head = pack(row + p.k);
    double factor[count];
    for (int c = 0; c < count; ++c) {
        factor[c] = head[c] * p.inverse[c];
        const Pack later = within(0, 0, c + 1) ? Pack{} : pack(p.rows + c * p.stride + p.k);
        head -= factor[c] * later;
        head[c] = factor[c];
    }
    pack(row + p.k) = head;
    for (Index j = p.k + lanes; j < n; j += lanes) {
        Pack e = pack(row + j);
        for (int c = 0; c < count; ++c) e -= factor[c] * pack(p.rows + c * p.stride + j);
        pack(row + j) = e;
    }
}
template <int count = 0>
inline void makePivots(double* rows, Pivots& p, Index n) {
    if (p.k + count >= n) return;
    if constexpr (count > 0) eliminate<count>(rows + count * p.stride, p, n);
    p.inverse[count] = 1 / rows[count * p.stride + p.k + count];
    if constexpr (count < lanes - 1) makePivots<count + 1>(rows, p, n);
}
inline void lu(Rows& a, Index n) {
    for (Index k = 0; k < n; k += lanes) {
        Pivots p = {a[k], a.stride, k, {}};
        makePivots(a[k], p, n);
        for (Index i = k + lanes; i < n; ++i) eliminate<lanes>(a[i], p, n);
    }
}

/// The columns of eight pivots from k on, each from its own row on: `columns` is turned.
inline void factorColumns(Rows& a, Index k, Index n, double* columns) {
    for (Index i = k; i < n; ++i) {
        double* const row = a[i] + k;
        for (Index c = 0; c < std::min(lanes, std::min(i + 1, n) - k); ++c) {
            double e = row[c];
            for (Index l = 0; l < c; ++l) e -= row[l] * columns[l * a.stride + k + c];
            const double pivot = i == k + c ? std::sqrt(e) : 0;
            row[c] = i == k + c ? pivot : e * columns[lanes * a.stride + c];
            columns[c * a.stride + i] = row[c];
            if (i == k + c) columns[lanes * a.stride + c] = 1 / pivot;
        }
    }
}
inline void cholesky(Rows& a, Index n) {
    static Rows columns(lanes + 1, 1024, 1024);
    for (Index k = 0; k < n; k += lanes) {
        double* const column = columns[0];
        factorColumns(a, k, n, column);
        for (Index i = k + lanes; i < n; ++i) {
            double* const row = a[i];
            Pack factor[lanes];
            for (int c = 0; c < lanes; ++c) factor[c] = all(row[k + c]);
            for (Index j = k + lanes; j <= i; j += lanes) {
                const Pack old = pack(row + j);
                Pack e = old;
                for (int c = 0; c < lanes; ++c) e -= factor[c] * pack(column + c * a.stride + j);
                pack(row + j) = within(j, 0, i + 1) ? e : old;
            }
        }
    }
}

/// Takes column k, of length 1 from now on, out of `rows` rows from i on, and adds up what the
/// next column, which is ready then, has in common with those behind.
template <int rows>
inline void project(Rows& a, Index i, Index k, const double* common, double inverse, double* next,
                    Index n) {
    Pack own[rows], following[rows];
    for (int r = 0; r < rows; ++r) {
        double* const row = a[i + r];
        own[r] = all(row[k] *= inverse);
        following[r] = all(row[k + 1] - common[k + 1] * inverse * row[k]);
    }
    for (Index j = k / lanes * lanes; j < n; j += lanes) {
        const Pack r = within(j, 0, k + 1) ? Pack{} : pack(common + j) * inverse;
        Pack sum = pack(next + j);
        for (int s = 0; s < rows; ++s) {
            const Pack e = pack(a[i + s] + j) - r * own[s];
            pack(a[i + s] + j) = e;
            sum += following[s] * e;
        }
        pack(next + j) = sum;
    }
}
inline void gramSchmidt(Rows& a, Index n) {
    alignas(64) double memory[2][1024] = {};
    double *common = memory[0], *next = memory[1];
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; j += lanes) pack(common + j) += a[i][0] * pack(a[i] + j);
    for (Index k = 0; k < n; ++k) {
        const double inverse = 1 / std::sqrt(common[k]);
        std::fill_n(next, a.stride, 0.0);
        Index i = 0;
        for (; i + 4 <= n; i += 4) project<4>(a, i, k, common, inverse, next, n);
        for (; i < n; ++i) project<1>(a, i, k, common, inverse, next, n);
        std::swap(common, next);
    }
}

struct Gradients {
    Rows x, r, p, q, given;
};
STYLES_WIDE inline double applyRow(double* __restrict q, const double* __restrict p, Index stride,
                                   Index n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 1; j < n - 1; ++j) {
        q[j] = 4 * p[j] - (p[j - stride] + p[j + stride]) - (p[j - 1] + p[j + 1]);
        sum += p[j] * q[j];
    }
    return sum;
}
STYLES_WIDE inline double advanceRow(double* __restrict x, double* __restrict r,
                                     const double* __restrict p, const double* __restrict q,
                                     double alpha, Index n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 1; j < n - 1; ++j) {
        x[j] += alpha * p[j];
        r[j] -= alpha * q[j];
        sum += r[j] * r[j];
    }
    return sum;
}
STYLES_WIDE inline void turnRow(double* __restrict p, const double* __restrict r, double beta,
                                Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) p[j] = r[j] + beta * p[j];
}
inline double step(Gradients& g, double rho, Index n) {
    double common = 0, next = 0;
    for (Index i = 1; i < n - 1; ++i) common += applyRow(g.q[i], g.p[i], g.p.stride, n);
    const double alpha = rho / common;
    for (Index i = 1; i < n - 1; ++i) next += advanceRow(g.x[i], g.r[i], g.p[i], g.q[i], alpha, n);
    for (Index i = 1; i < n - 1; ++i) turnRow(g.p[i], g.r[i], next / rho, n);
    return next;
}
inline Result gradients(Index n, long iterations) {
    const auto inside = [n](Index i, Index j) {
        return i > 0 && i < n - 1 && j > 0 && j < n - 1 ? start(i, j) : 0.0;
    };
    Gradients g = {Rows(n, n, 0, 1), Rows(n, n, 0, 1), Rows(n, n, 0, 1), Rows(n, n, 0, 1),
                   Rows(n, n, 0, 1, inside)};
    double first = 0;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) first += g.given[i][j] * g.given[i][j];
    double rho = first;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        if (it == 0 || it % 20 == 19) {
            for (Rows* each : {&g.r, &g.p}) std::copy_n(g.given[0], n * g.p.stride, (*each)[0]);
            rho = first;
        }
        rho = step(g, rho, n);
        finish(g.x[0]);
    }
    watch.pause();
    return watch.stop(g.x.sum());
}

}  // namespace styles::best::solvers
