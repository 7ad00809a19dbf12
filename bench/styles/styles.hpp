// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One computation in several natural spellings, ours beside plain C++ of the same style: what they
// share.
#pragma once
#include <hpspmd>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <vector>

#include "../bench.hpp"

namespace styles {

using hpspmd::Index;

/// What a program of `iterations` steps took, and what it found.
struct Result {
    double seconds = 0, answer = 0;
};

/// Measures from its declaration on: the processor time of this process, which other programs on
/// the machine disturb least.
class Watch {
public:
    Result stop(double answer) const { return {taken_ < 0 ? now() - start_ : taken_, answer}; }
    /// Ends the time before the answer is computed.
    void pause() { taken_ = now() - start_; }

private:
    static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

    double start_ = now(), taken_ = -1;
};

using Program = Result (*)(Index n, long iterations);

struct Spelling {
    const char* name;
    Program ours, plain;
};

/// A number that depends on the place, for arrays to start with.
inline double start(Index i, Index j = 0, Index k = 0) {
    return double((i * 7 + j * 13 + k * 29) % 31) / 31 + 0.5;
}

/// A matrix of plain C++, by rows.
struct Matrix {
    Matrix(Index rows, Index columns) : columns(columns), elements(std::size_t(rows * columns)) {}
    double& operator()(Index i, Index j) { return elements[std::size_t(i * columns + j)]; }
    double operator()(Index i, Index j) const { return elements[std::size_t(i * columns + j)]; }

    Index columns;
    std::vector<double> elements;
};

inline Matrix started(Index rows, Index columns) {
    Matrix m(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) m(i, j) = start(i, j);
    return m;
}

/// Ends a step: what it has made may be read, so that no C++ compiler computes several steps at
/// once or only the last one.
inline void finish(const void* made) { asm volatile("" : : "r"(made) : "memory"); }

inline double sum(const std::vector<double>& v) {
    double result = 0;
    for (const double e : v) result += e;
    return result;
}
inline double sum(const Matrix& m) { return sum(m.elements); }

/// Runs the spellings of each computation in turns, and the best that we know how to write by hand,
/// one for all of them. Prints a line for each spelling. On several processes each runs all of the
/// plain program and of the best, and the slowest one counts:
///
///     jacobi | handles in a vector | 61.2 | 58.8 | 57.1 | 0.96 | 0.93      microseconds ours,
///     plain and best; plain/ours and best/ours
///
/// `--check` compares the answers only, of small extents; `--rounds n`; `--only computation`.
class Frame {
public:
    Frame(int argc, char** argv) {
        for (int k = 1; k < argc; ++k) {
            if (!std::strcmp(argv[k], "--check")) isCheck_ = true;
            if (!std::strcmp(argv[k], "--rounds"))
                rounds_ = std::atoi(argv[++k]);
            else if (!std::strcmp(argv[k], "--only"))
                only_ = argv[++k];
        }
    }
    ~Frame() {
        if (isWrong_) std::exit(1);
    }

    void compare(const char* computation, Index n, Program best,
                 std::initializer_list<Spelling> spellings) {
        if (only_ && std::strcmp(only_, computation) != 0) return;
        check(computation, std::min<Index>(n, 40), best, spellings);
        if (isCheck_) return;
        Series byHand = {best, repetitions(best, n), {}};
        std::vector<Timed> timed;
        for (const Spelling& each : spellings)
            timed.push_back({{each.ours, repetitions(each.ours, n), {}},
                             {each.plain, repetitions(each.plain, n), {}}});
        for (int round = 0; round < rounds_; ++round)
            for (Timed& each : timed) each.ours.take(n), each.plain.take(n), byHand.take(n);
        std::size_t k = 0;
        for (const Spelling& each : spellings) {
            const double ours = timed[k].ours.least(), plain = timed[k].plain.least();
            ++k;
            if (hpspmd::detail::ownRank() != 0) continue;
            std::printf("%s | %s | %.3f | %.3f | %.3f | %.2f | %.2f\n", computation, each.name,
                        ours, plain, byHand.least(), plain / ours, byHand.least() / ours);
            std::fflush(stdout);
        }
    }

private:
    struct Series {
        Program program;
        long repetitions;
        std::vector<double> taken;

        void take(Index n) {
            const double seconds = hpspmd::Adlib::maxval(program(n, repetitions).seconds);
            taken.push_back(seconds / double(repetitions) * 1e6);
        }
        /// What other programs on the machine have taken is in none but the least.
        double least() const { return *std::min_element(taken.begin(), taken.end()); }
    };
    struct Timed {
        Series ours, plain;
    };

    /// As many as take about 10 ms.
    static long repetitions(Program program, Index n) {
        const double once = hpspmd::Adlib::maxval(program(n, 2).seconds / 2);
        return std::max(2L, std::min(20000L, long(0.01 / std::max(once, 1e-9))));
    }

    void check(const char* computation, Index n, Program best,
               std::initializer_list<Spelling> spellings) {
        const double expected = spellings.begin()->plain(n, 3).answer;
        const double byHand = best(n, 3).answer;
        for (const Spelling& each : spellings) {
            const double ours = each.ours(n, 3).answer, plain = each.plain(n, 3).answer;
            if (isNear(ours, expected) && isNear(plain, expected) && isNear(byHand, expected))
                continue;
            isWrong_ = true;
            std::fprintf(stderr, "%s, %s: ours %.12g, plain %.12g, best %.12g, expected %.12g\n",
                         computation, each.name, ours, plain, byHand, expected);
        }
    }
    static bool isNear(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

    bool isCheck_ = false, isWrong_ = false;
    int rounds_ = 5;
    const char* only_ = nullptr;
};

}  // namespace styles
