// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JavaGrande LUFact: a system of linear equations by factorization, in threads by hand. The
// matrix lies by columns. usage: lufact_threads test|A|B|C
#include "javagrande.hpp"
#include "threads.hpp"

#include <utility>
#include <vector>

using Columns = std::vector<std::vector<double>>;

void factor(Columns& a, std::vector<int>& pivot) {
    const std::size_t n = a.size(), count = javagrande::threads();
    javagrande::Barrier barrier(count);
    javagrande::inThreads(count, [&](std::size_t t) {
        for (std::size_t k = 0; k < n - 1; ++k) {
            if (k % count == t) {
                std::size_t l = k;
                for (std::size_t i = k + 1; i < n; ++i)
                    if (std::fabs(a[k][i]) > std::fabs(a[k][l])) l = i;
                if (l != k) std::swap(a[k][l], a[k][k]);
                const double scale = -1.0 / a[k][k];
                for (std::size_t i = k + 1; i < n; ++i) a[k][i] *= scale;
                pivot[k] = static_cast<int>(l);
            }
            barrier.wait();
            const auto l = static_cast<std::size_t>(pivot[k]);
            const double* const line = a[k].data();
            for (std::size_t j = k + 1 + (t + count - (k + 1) % count) % count; j < n; j += count) {
                double* const column = a[j].data();
                const double factor = column[l];
                column[l] = column[k];
                column[k] = factor;
                for (std::size_t i = k + 1; i < n; ++i) column[i] += factor * line[i];
            }
        }
    });
    pivot[n - 1] = static_cast<int>(n - 1);
}

void solve(const Columns& a, const std::vector<int>& pivot, std::vector<double>& b) {
    const int n = static_cast<int>(a.size());
    for (int k = 0; k < n - 1; ++k) {
        std::swap(b[pivot[k]], b[k]);
        for (int i = k + 1; i < n; ++i) b[i] += b[k] * a[k][i];
    }
    for (int k = n - 1; k >= 0; --k) {
        b[k] /= a[k][k];
        for (int i = 0; i < k; ++i) b[i] -= b[k] * a[k][i];
    }
}

// The largest element.
double fill(Columns& a, std::vector<double>& b) {
    int state = 1325;
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) {
            state = 3125 * state % 65536;
            a[j][i] = (state - 32768.0) / 16384.0;
            most = std::fmax(most, a[j][i]);
        }
    for (std::size_t i = 0; i < a.size(); ++i) {
        b[i] = 0;
        for (std::size_t j = 0; j < a.size(); ++j) b[i] += a[j][i];
    }
    return most;
}

int main(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 60, 500, 1000, 2000);
    Columns a(n, std::vector<double>(n)), given(a);
    std::vector<double> b(n);
    std::vector<int> pivot(n);
    Columns small(8, std::vector<double>(8));
    fill(small, b);
    factor(small, pivot);  // what starts once is not measured
    const double most = fill(a, b);

    javagrande::Watch watch;
    factor(a, pivot);
    watch.stop();
    solve(a, pivot, b);

    std::vector<double> x(b), rest(n);
    fill(given, rest);
    double residual = 0, largest = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
        rest[i] = -rest[i];
        for (int j = 0; j < n; ++j) rest[i] += given[j][i] * x[j];
        residual = std::fmax(residual, std::fabs(rest[i]));
        largest = std::fmax(largest, std::fabs(x[i]));
        sum += x[i] * (i + 1) + a[i][n / 2];
    }
    const double normalized = residual / (n * most * largest * std::pow(2.0, -52));
    javagrande::validate("the normalized residual", normalized, 0,
                         n <= 500    ? 6
                         : n <= 1000 ? 12
                                     : 20);
    javagrande::answer("lufact", sum);
    javagrande::time("lufact", watch);
}
