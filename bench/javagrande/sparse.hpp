// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What JavaGrande SparseMatMult multiplies: a matrix as a list of elements, sorted by rows.
#pragma once

#include "javagrande.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace javagrande {

struct Sparse {
    std::vector<int> row, column;
    std::vector<double> value, x;

    Sparse(int n, int elements) : row(elements), column(elements), value(elements), x(n) {
        Random random(10101010);
        for (double& each : x) each = random.nextDouble() * 1e-6;
        std::vector<int> rows(elements), columns(elements), order(elements);
        std::vector<double> values(elements);
        for (int k = 0; k < elements; ++k) {
            rows[k] = std::abs(random.nextInt()) % n;
            columns[k] = std::abs(random.nextInt()) % n;
            values[k] = random.nextDouble();
        }
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return rows[a] < rows[b]; });
        for (int k = 0; k < elements; ++k) {
            row[k] = rows[order[k]];
            column[k] = columns[order[k]];
            value[k] = values[order[k]];
        }
    }
};

inline void validateProduct(const Sparse& matrix, const std::vector<double>& y) {
    double total = 0;
    for (const int row : matrix.row) total += y[row];
    const std::size_t n = y.size();
    const double wanted = n == 50000    ? 75.02484945753453
                          : n == 100000 ? 150.0130719633895
                          : n == 500000 ? 749.5245870753752
                                        : total;
    validate("the sum over all elements", total, wanted, 1e-10);
    answer("sparsematmult", total);
}

}  // namespace javagrande
