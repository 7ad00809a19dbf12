// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs by hand share, of which one stands beside all spellings of a computation. They
// take the same steps as those of shapes.hph and keep them apart in the same way.
#pragma once
#include "../styles.hpp"

// Functions whose loops take whole registers, as some compilers do not by themselves.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define STYLES_WIDE __attribute__((target("prefer-vector-width=512")))
#else
#define STYLES_WIDE
#endif

namespace styles::best {

using bench::Pack, bench::pack;
constexpr Index lanes = 8;

/// A matrix by rows on huge pages. Eight numbers before and behind it may be read; no two matrices
/// begin at the same place of a page, so that stores do not look as if they changed what is loaded
/// next.
class Rows {
public:
    /// Column `rim`, the first one that a program changes, begins on a cache line in all rows,
    /// unless they are `stride` numbers apart.
    Rows(Index rows, Index columns, Index stride = 0, Index rim = 0)
        : rows(rows),
          columns(columns),
          stride(stride ? stride : (columns + lanes - 1) / lanes * lanes),
          storage_(bench::zeros(std::max(rows * this->stride + margin, hugePage))),
          first_(storage_.get() + (1 + made++ * 37 % 64) * lanes - rim) {}
    template <class Of>
    Rows(Index rows, Index columns, Index stride, Index rim, Of of)
        : Rows(rows, columns, stride, rim) {
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < columns; ++j) (*this)[i][j] = of(i, j);
    }

    double* operator[](Index i) { return first_ + i * stride; }
    double sum() {
        double result = 0;
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < columns; ++j) result += (*this)[i][j];
        return result;
    }

    Index rows, columns, stride;

private:
    static constexpr Index hugePage = (1 << 21) / sizeof(double), margin = 66 * lanes;
    static inline Index made = 0;
    bench::Storage storage_;
    double* first_;
};
/// The k-th of the arrays that the programs begin with.
inline Rows startedRows(Index rows, Index columns, Index k = 0, Index stride = 0) {
    return Rows(rows, columns, stride, 0, [k](Index i, Index j) { return start(i, j, k); });
}
inline Rows startedGrid(Index n, Index k = 0, Index rim = 1) {
    return Rows(n, n, 0, rim, [k](Index i, Index j) { return start(i, j, k); });
}
inline Rows startedLine(Index n, Index k = 0, Index rim = 0) {
    return Rows(1, n, 0, rim, [k](Index, Index j) { return start(j, k); });
}

/// A vector of three others.
using VectorStep = void (*)(double* y, const double* a, const double* b, const double* c, Index n);
template <VectorStep apply, int rim = 0>
Result onVectors(Index n, long iterations) {
    Rows y = startedLine(n, 3, rim), a = startedLine(n), b = startedLine(n, 1),
         c = startedLine(n, 2);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        apply(y[0], a[0], b[0], c[0], n);
        finish(y[0]);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(y.sum());
}

/// A matrix of two others, whose rows are `stride` numbers apart, without its rim.
using MatrixStep = void (*)(double* c, const double* a, const double* b, Index n, Index stride);
template <MatrixStep apply, int rim = 1>
Result onMatrices(Index n, long iterations) {
    Rows a = startedGrid(n, 0, rim), b = startedGrid(n, 1, rim), c(n, n, 0, rim);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        apply(c[0], a[0], b[0], n, a.stride);
        finish(c[0]);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(c.sum());
}

/// Rows of m numbers of the rows of two others.
using RowStep = void (*)(double* c, const double* a, const double* b, Index rows);
template <RowStep apply, int m>
Result onRows(Index n, long iterations) {
    Rows a = startedRows(n, m, 0, m), b = startedRows(n, m, 1, m), c(n, m, m);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        apply(c[0], a[0], b[0], n);
        finish(c[0]);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(c.sum());
}

/// A number of two vectors.
using Reduction = double (*)(const double* a, const double* b, Index n);
template <Reduction apply>
Result reduced(Index n, long iterations) {
    Rows a = startedLine(n), b = startedLine(n, 1);
    double total = 0;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        total += apply(a[0], b[0], n);
        finish(&total);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(total);
}

}  // namespace styles::best
