// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JavaGrande SparseMatMult: products of a sparse matrix and a vector, in threads by hand, each with
// the elements of its own rows. usage: sparsematmult_threads test|A|B|C
// With -DJOINED -fopenmp they join behind each product, as those of a divided loop do.
#include "sparse.hpp"
#include "threads.hpp"

void multiply(std::vector<double>& y, const javagrande::Sparse& matrix, int times) {
    const std::vector<int>&row = matrix.row, &column = matrix.column;
    const std::vector<double>&value = matrix.value, &x = matrix.x;
    const std::size_t n = value.size(), count = javagrande::threads();
    const auto cut = [&](std::size_t t) {
        std::size_t k = javagrande::partOf(n, t, count, 1);
        while (0 < k && k < n && row[k] == row[k - 1]) ++k;
        return k;
    };
#ifdef JOINED
    for (int time = 0; time < times; ++time) {
#pragma omp parallel for num_threads(static_cast <int>(count)) schedule(static, 1)
        for (std::size_t t = 0; t < count; ++t)
            for (std::size_t k = cut(t), end = cut(t + 1); k < end; ++k)
                y[row[k]] += x[column[k]] * value[k];
    }
    return;
#endif
    javagrande::inThreads(count, [&](std::size_t t) {
        const std::size_t first = cut(t), end = cut(t + 1);
        for (int time = 0; time < times; ++time)
            for (std::size_t k = first; k < end; ++k) y[row[k]] += x[column[k]] * value[k];
    });
}

int main(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 100, 50000, 100000, 500000);
    const javagrande::Sparse matrix(n, 5 * n);
    std::vector<double> y(n), other(n);
    multiply(other, matrix, 1);  // what starts once is not measured
    javagrande::Watch watch;
    multiply(y, matrix, 200);
    watch.stop();

    javagrande::validateProduct(matrix, y);
    javagrande::time("sparsematmult", watch);
}
