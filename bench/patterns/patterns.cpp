// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns beside the plain loop with OpenMP: the programs of the seed of patterns (saxpy, the
// nearest of eight centres, prices of options by Black and Scholes, one step of bodies, Monte
// Carlo) and a scalar product. Pattern and loop take turns, and begin in turns; what is printed is
// the median of each in microseconds, and the median of the loop's time by the pattern's of the
// same turn (1 and more: not slower), which other load on the machine disturbs least. The last line
// is what a call costs: a pattern on 8 elements, less the plain loop, in nanoseconds.
//
// usage: OMP_NUM_THREADS=n patterns [turns] [small|large]
// small and large are the sizes of the publication (Fumero and others, 2015). Built by
//   hpcc -O3 -march=native -fopenmp bench/patterns/patterns.cpp      (or -fopenmp-simd: one thread)
// or any C++17 compiler, and linked with the library.
#include <hpspmd/patterns.hpp>
#include <hpspmd>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "../bench.hpp"

using namespace hpspmd::patterns;
using hpspmd::Index;

namespace {

int turns = 25;

/// The sizes: quick ones, or one of the two of the publication.
struct Sizes {
    Index saxpy, points, prices, bodies, seeds;
};
constexpr Sizes quick = {10'000'000, 1'000'000, 100'000, 4096, 20'000};
constexpr Sizes small = {16 << 20, 8'000'000, 200'000, 64 << 10, 256'000};
constexpr Sizes large = {128 << 20, 33'000'000, 6'000'000, 256 << 10, 1'000'000};

/// Seconds since some moment, and those that the processors have worked for this process.
struct Time {
    double clock = bench::seconds();
    double processors = worked();

    static double worked() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
};

template <class F>
Time timeOf(const F& f) {
    const Time start;
    f();
    Time time;
    time.clock -= start.clock;
    time.processors -= start.processors;
    return time;
}

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

template <class Plain, class Ours>
void compare(const char* name, Index n, const Plain& plain, const Ours& ours) {
    std::vector<double> byHand, here, ratio, work;
    for (int turn = -1; turn < turns; ++turn) {
        Time loop, pattern;
        for (const bool isLoop : {turn % 2 == 0, turn % 2 != 0})
            (isLoop ? loop : pattern) = isLoop ? timeOf(plain) : timeOf(ours);
        if (turn < 0) continue;  // the first touch of the memory
        byHand.push_back(loop.clock);
        here.push_back(pattern.clock);
        ratio.push_back(loop.clock / pattern.clock);
        work.push_back(loop.processors / pattern.processors);
    }
    std::printf("%-14s %9lld %12.1f %12.1f %8.3f %8.3f\n", name, static_cast<long long>(n),
                median(byHand) * 1e6, median(here) * 1e6, median(ratio), median(work));
    std::fflush(stdout);
}

std::vector<float> numbers(Index n, float least, float most) {
    std::vector<float> result(static_cast<std::size_t>(n));
    unsigned seed = 17;
    for (float& number : result) {
        seed = seed * 1664525u + 1013904223u;
        number = least + (most - least) * static_cast<float>(seed >> 8) * 0x1p-24f;
    }
    return result;
}

void saxpy(Index n) {
    const std::vector<float> a = numbers(n, 0, 1), b = numbers(n, 1, 2);
    std::vector<float> r(a.size()), s(a.size());
    const float alpha = 2.5f;
    const auto pattern = map([alpha](float x, float y) { return alpha * x + y; });
    const auto plain = [&] {
        float* const to = r.data();
        const float *const x = a.data(), *const y = b.data();
#pragma omp parallel for simd
        for (Index k = 0; k < n; ++k) to[k] = alpha * x[k] + y[k];
    };
    compare("saxpy", n, plain, [&] { pattern.into(s, a, b); });
    if (r != s) std::printf("saxpy: another answer\n");
}

void dotProduct(Index n) {
    const std::vector<float> a = numbers(n, 0, 1), b = numbers(n, 1, 2);
    const auto pattern =
        zip | map([](float x, float y) { return x * y; }) | reduce(std::plus<>(), 0.0f);
    float r = 0, s = 0;
    const auto plain = [&] {
        float sum = 0;
        const float *const x = a.data(), *const y = b.data();
#pragma omp parallel for simd reduction(+ : sum)
        for (Index k = 0; k < n; ++k) sum += x[k] * y[k];
        r = sum;
    };
    compare("dot product", n, plain, [&] { s = pattern(a, b); });
    if (std::abs(r - s) > 1e-3f * r) std::printf("dot product: another answer\n");
}

struct Prices {
    float call, put;
};
Prices blackScholes(float price) {
    const float strike = 20, years = 1.5f, rate = 0.05f, volatility = 0.3f;
    const float root = volatility * std::sqrt(years);
    const float d1 =
        (std::log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
    const auto below = [](float d) { return 0.5f * std::erfc(-d * 0.70710678f); };
    const float later = strike * std::exp(-rate * years);
    const float call = price * below(d1) - later * below(d1 - root);
    return {call, call - price + later};
}

void options(Index n) {
    const std::vector<float> prices = numbers(n, 5, 40);
    std::vector<float> call(prices.size()), put(prices.size()), call2(call), put2(put);
    const auto pattern = map([](float price) {
        const Prices both = blackScholes(price);
        return std::tuple(both.call, both.put);
    });
    const auto plain = [&] {
#pragma omp parallel for
        for (Index k = 0; k < n; ++k) {
            const auto t = static_cast<std::size_t>(k);
            const Prices both = blackScholes(prices[t]);
            call[t] = both.call;
            put[t] = both.put;
        }
    };
    compare("Black-Scholes", n, plain, [&] { pattern.into(std::tie(call2, put2), prices); });
    if (call != call2 || put != put2) std::printf("Black-Scholes: another answer\n");
}

/// The number of the nearest of the centres, and the square of the distance.
int nearest(float x, float y, const float* xs, const float* ys, int centres) {
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < centres; ++c) {
        const float square = (x - xs[c]) * (x - xs[c]) + (y - ys[c]) * (y - ys[c]);
        if (square < least) least = square, best = c;
    }
    return best;
}

void clusters(Index n) {
    const std::vector<float> x = numbers(n, 0, 1), y = numbers(n, 1, 2);
    const std::vector<float> xs = numbers(8, 0, 1), ys = numbers(8, 1, 2);
    std::vector<int> r(x.size()), s(x.size());
    const float *const cx = xs.data(), *const cy = ys.data();
    const auto pattern = map([=](float px, float py) { return nearest(px, py, cx, cy, 8); });
    const auto plain = [&] {
        int* const to = r.data();
        const float *const px = x.data(), *const py = y.data();
#pragma omp parallel for simd
        for (Index k = 0; k < n; ++k) to[k] = nearest(px[k], py[k], cx, cy, 8);
    };
    compare("k-means", n, plain, [&] { pattern.into(s, x, y); });
    if (r != s) std::printf("k-means: another answer\n");
}

struct Body {
    float x, y, z, vx, vy, vz;
};

/// A body one step later, under the forces of all bodies.
Body moved(Body body, const float* x, const float* y, const float* z, const float* mass, Index n) {
    float fx = 0, fy = 0, fz = 0;
    for (Index j = 0; j < n; ++j) {
        const float dx = x[j] - body.x, dy = y[j] - body.y, dz = z[j] - body.z;
        const float square = dx * dx + dy * dy + dz * dz + 0.01f;
        const float pull = mass[j] / (square * std::sqrt(square));
        fx += pull * dx;
        fy += pull * dy;
        fz += pull * dz;
    }
    const float step = 0.01f;
    const float vx = body.vx + step * fx, vy = body.vy + step * fy, vz = body.vz + step * fz;
    return {body.x + step * vx, body.y + step * vy, body.z + step * vz, vx, vy, vz};
}

void bodies(Index n) {
    const std::vector<float> x = numbers(n, 0, 100), y = numbers(n, 50, 150), z = numbers(n, 7, 9);
    const std::vector<float> vx(x.size()), vy(x.size()), vz(x.size()), mass = numbers(n, 1, 4);
    const float *const px = x.data(), *const py = y.data(), *const pz = z.data();
    const float* const pm = mass.data();
    std::vector<float> r[6], s[6];
    for (int k = 0; k < 6; ++k) r[k] = s[k] = std::vector<float>(x.size());
    const auto pattern = map([=](float x, float y, float z, float vx, float vy, float vz) {
        const Body next = moved({x, y, z, vx, vy, vz}, px, py, pz, pm, n);
        return std::tuple(next.x, next.y, next.z, next.vx, next.vy, next.vz);
    });
    const auto plain = [&] {
#pragma omp parallel for
        for (Index k = 0; k < n; ++k) {
            const auto t = static_cast<std::size_t>(k);
            const Body next = moved({x[t], y[t], z[t], vx[t], vy[t], vz[t]}, px, py, pz, pm, n);
            r[0][t] = next.x, r[1][t] = next.y, r[2][t] = next.z;
            r[3][t] = next.vx, r[4][t] = next.vy, r[5][t] = next.vz;
        }
    };
    compare("N-body", n, plain, [&] {
        pattern.into(std::tie(s[0], s[1], s[2], s[3], s[4], s[5]), x, y, z, vx, vy, vz);
    });
    for (int k = 0; k < 6; ++k)
        if (r[k] != s[k]) std::printf("N-body: another answer\n");
}

/// The share of 200 random points of a seed that lie inside the quarter of a circle.
float inside(std::uint32_t seed) {
    int hits = 0;
    const auto next = [&seed] {
        seed = seed * 1664525u + 1013904223u;
        return static_cast<float>(seed >> 8) * 0x1p-24f;
    };
    for (int k = 0; k < 200; ++k) {
        const float x = next(), y = next();
        if (x * x + y * y < 1) ++hits;
    }
    return static_cast<float>(hits) / 200;
}

void monteCarlo(Index n) {
    std::vector<std::uint32_t> seeds(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < seeds.size(); ++k)
        seeds[k] = static_cast<std::uint32_t>(k) * 2654435761u;
    std::vector<float> r(seeds.size()), s(seeds.size());
    const auto plain = [&] {
#pragma omp parallel for
        for (Index k = 0; k < n; ++k)
            r[static_cast<std::size_t>(k)] = inside(seeds[static_cast<std::size_t>(k)]);
    };
    const auto pattern = map([](std::uint32_t seed) { return inside(seed); });
    compare("Monte Carlo", n, plain, [&] { pattern.into(s, seeds); });
    if (r != s) std::printf("Monte Carlo: another answer\n");
}

/// The time of one call, in nanoseconds.
template <class F>
double costOf(const F& call) {
    const int calls = 20000;
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn)
        times.push_back(timeOf([&] {
                            for (int k = 0; k < calls; ++k) call();
                        }).processors);
    return median(times) / calls * 1e9;
}

void overheads() {
    const std::vector<float> a = numbers(8, 0, 1), b = numbers(8, 1, 2);
    std::vector<float> r(8);
    const auto add = map([](float x, float y) { return x + y; });
    const auto dot = map([](float x, float y) { return x * y; }) | reduce(std::plus<>(), 0.0f);
    const hpspmd::Procs1 p(1);
    const hpspmd::detail::On on(p);
    const hpspmd::BlockRange x(8, p.dim(0));
    const auto c = hpspmd::create<float>(p, x), d = hpspmd::create<float>(p, x);
    volatile float sum = 0;
    const double plain = costOf([&] {
        for (std::size_t k = 0; k < 8; ++k) r[k] = a[k] + b[k];
        asm volatile("" ::: "memory");
    });
    std::printf("overhead of a call, ns: map into vectors %.0f, reduce of vectors %.0f, ",
                costOf([&] { add.into(r, a, b); }) - plain,
                costOf([&] { sum = dot(a, b); }) - plain);
    std::printf("map into multiarrays %.0f, reduce of multiarrays %.0f\n",
                costOf([&] { add.into(c, c, d); }) - plain,
                costOf([&] { sum = dot(c, d); }) - plain);
}

}  // namespace

int main(int argc, char** argv) {
    const hpspmd::Procs0 alone;  // starts MPI, and chooses the number of threads
    if (argc > 1) turns = std::atoi(argv[1]);
    const std::string size = argc > 2 ? argv[2] : "";
    const Sizes sizes = size == "large" ? large : size == "small" ? small : quick;
    std::printf("%-14s %9s %12s %12s %8s %8s  (%d threads)\n", "", "n", "plain loop", "pattern",
                "ratio", "work", hpspmd::detail::mostThreads(hpspmd::detail::Site::here()));
    saxpy(100'000);
    saxpy(sizes.saxpy);
    dotProduct(100'000);
    dotProduct(sizes.saxpy);
    clusters(sizes.points);
    options(sizes.prices);
    bodies(sizes.bodies);
    monteCarlo(sizes.seeds);
    overheads();
}
