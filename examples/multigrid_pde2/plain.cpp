// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multigrid_pde2.hpcpp as loops over vectors in one process: what it must print, and how fast it
// should be.
//
// usage: multigrid_pde2.plain [grids [cycles]]
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

double solution(double x, double y) { return std::exp(x) * std::sin(3 * y); }

class Level {
public:
    explicit Level(long n) : rows(2 * n + 1), columns(n + 1), h_(1.0 / double(n)) {
        u_ = f_ = rest_ = std::vector<double>(rows * columns);
        for (long i = 0; i < rows; ++i)
            for (long j = 0; j < columns; ++j) {
                const double exact = solution(h_ * double(i), h_ * double(j));
                f_[at(i, j)] = -8 * exact;
                if (i == 0 || i == rows - 1 || j == 0 || j == columns - 1) u_[at(i, j)] = exact;
            }
    }

    std::size_t at(long i, long j) const { return i * columns + j; }

    void relax(int sweeps) {
        for (int half = 0; half < 2 * sweeps; ++half)
            for (long i = 1; i < rows - 1; ++i)
                for (long j = 1 + (i + half) % 2; j < columns - 1; j += 2)
                    u_[at(i, j)] = 0.25 * (u_[at(i - 1, j)] + u_[at(i + 1, j)] + u_[at(i, j - 1)] +
                                           u_[at(i, j + 1)] - h_ * h_ * f_[at(i, j)]);
    }

    void restrictTo(Level& coarse) {
        for (long i = 1; i < rows - 1; ++i)
            for (long j = 1; j < columns - 1; ++j)
                rest_[at(i, j)] =
                    f_[at(i, j)] - (u_[at(i - 1, j)] + u_[at(i + 1, j)] + u_[at(i, j - 1)] +
                                    u_[at(i, j + 1)] - 4 * u_[at(i, j)]) /
                                       (h_ * h_);
        for (long i = 2; i < rows - 1; i += 2)
            for (long j = 2; j < columns - 1; j += 2)
                coarse.f_[coarse.at(i / 2, j / 2)] =
                    (4 * rest_[at(i, j)] +
                     2 * (rest_[at(i - 1, j)] + rest_[at(i + 1, j)] + rest_[at(i, j - 1)] +
                          rest_[at(i, j + 1)]) +
                     rest_[at(i - 1, j - 1)] + rest_[at(i - 1, j + 1)] + rest_[at(i + 1, j - 1)] +
                     rest_[at(i + 1, j + 1)]) /
                    16;
        coarse.u_.assign(coarse.u_.size(), 0);
    }

    /// Adds the coarser grid's values, interpolated, to `factor` times one's own.
    void interpolate(const Level& coarse, double factor) {
        std::vector<double> e(u_.size());
        for (long i = 0; i < rows; i += 2)
            for (long j = 0; j < columns; j += 2) e[at(i, j)] = coarse.u_[coarse.at(i / 2, j / 2)];
        for (long i = 1; i < rows; i += 2)
            for (long j = 0; j < columns; j += 2)
                e[at(i, j)] = 0.5 * (e[at(i - 1, j)] + e[at(i + 1, j)]);
        for (long i = 0; i < rows; ++i)
            for (long j = 1; j < columns; j += 2)
                e[at(i, j)] = 0.5 * (e[at(i, j - 1)] + e[at(i, j + 1)]);
        for (long i = 1; i < rows - 1; ++i)
            for (long j = 1; j < columns - 1; ++j)
                u_[at(i, j)] = factor * u_[at(i, j)] + e[at(i, j)];
    }

    double error() const {
        double most = 0;
        for (long i = 0; i < rows; ++i)
            for (long j = 0; j < columns; ++j)
                most = std::max(most,
                                std::abs(u_[at(i, j)] - solution(h_ * double(i), h_ * double(j))));
        return most;
    }

    long rows, columns;

private:
    double h_;
    std::vector<double> u_, f_, rest_;
};

void cycle(std::vector<Level>& levels, std::size_t k) {
    if (k == 0) return levels[k].relax(10);
    levels[k].relax(2);
    levels[k].restrictTo(levels[k - 1]);
    cycle(levels, k - 1);
    levels[k].interpolate(levels[k - 1], 1);
    levels[k].relax(1);
}

int main(int argc, char** argv) {
    const int grids = argc > 1 ? std::stoi(argv[1]) : 6;
    const int cycles = argc > 2 ? std::stoi(argv[2]) : 1;
    std::vector<Level> levels;
    double before = 0;
    for (int k = 0; k < grids; ++k) {
        levels.emplace_back(2L << k);
        if (k > 0) levels[k].interpolate(levels[k - 1], 0);
        for (int c = 0; c < cycles; ++c) cycle(levels, k);
        const double error = levels[k].error();
        if (k > 0)
            std::printf("%4ld x %3ld: error %.2e, order %.2f\n", levels[k].rows, levels[k].columns,
                        error, std::log2(before / error));
        before = error;
    }
}
