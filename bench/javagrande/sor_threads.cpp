// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JavaGrande SOR: successive over-relaxation on a square, red and black elements in turn, in
// threads by hand. usage: sor_threads test|A|B|C
#include "javagrande.hpp"
#include "threads.hpp"

#include <algorithm>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

void relax(Matrix& g, double omega, int sweeps) {
    const std::size_t rows = g.size(), columns = g[0].size(), count = javagrande::threads();
    const double quarter = omega * 0.25, rest = 1.0 - omega;
    javagrande::Barrier barrier(count);
    javagrande::inThreads(count, [&](std::size_t t) {
        const std::size_t first = std::max<std::size_t>(1, javagrande::partOf(rows, t, count, 1));
        const std::size_t end = std::min(rows - 1, javagrande::partOf(rows, t + 1, count, 1));
        for (std::size_t half = 0; half < 2 * static_cast<std::size_t>(sweeps); ++half) {
            for (std::size_t i = first; i < end; ++i)
                for (std::size_t j = 1 + (i + 1 + half) % 2; j < columns - 1; j += 2)
                    g[i][j] = quarter * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]) +
                              rest * g[i][j];
            barrier.wait();
        }
    });
}

int main(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 100, 1000, 1500, 2000);
    javagrande::Random random(10101010);
    Matrix g(n, std::vector<double>(n));
    for (std::vector<double>& row : g)
        for (double& each : row) each = random.nextDouble() * 1e-6;

    Matrix small(8, std::vector<double>(8));
    relax(small, 1.25, 1);  // what starts once is not measured
    javagrande::Watch watch;
    relax(g, 1.25, 100);
    watch.stop();

    double total = 0;
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j) total += g[i][j];
    const double wanted = n == 1000   ? 0.498574406322512
                          : n == 1500 ? 1.1234778980135105
                          : n == 2000 ? 1.9954895063582696
                                      : total;
    javagrande::validate("the sum of all elements", total, wanted, 1e-12);
    javagrande::answer("sor", total);
    javagrande::time("sor", watch);
}
