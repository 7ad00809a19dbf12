// The straightforward loops.
#pragma once

/// Row j of `a` is column j of the matrix, which L and U replace.
inline void factorise(double* a, long n) {
    for (long k = 0; k + 1 < n; ++k) {
        for (long i = k + 1; i < n; ++i) a[k * n + i] /= a[k * n + k];
        for (long j = k + 1; j < n; ++j)
            for (long i = k + 1; i < n; ++i) a[j * n + i] -= a[k * n + i] * a[j * n + k];
    }
}
