// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns beside the plain loop with OpenMP: saxpy, prices of options by Black and Scholes, the
// forces between bodies, a scalar product; each in turns with its rival, the least of many times in
// microseconds, and the rival's time by ours (1 and more: not slower). The last lines are what a
// call costs: a pattern on 8 elements, less the plain loop, in nanoseconds.
//
// usage: OMP_NUM_THREADS=n patterns [rounds]; built with -O3 -march=native -fopenmp and the library
#include <hpspmd/patterns.hpp>
#include <hpspmd>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "../bench.hpp"

using namespace hpspmd::patterns;
using hpspmd::Index;

namespace {

int rounds = 40;

template <class F>
double timeOf(const F& f) {
    const double start = bench::seconds();
    f();
    return bench::seconds() - start;
}

template <class Plain, class Ours>
void compare(const char* name, Index n, const Plain& plain, const Ours& ours) {
    double byHand = 1e9, here = 1e9;
    for (int round = 0; round < rounds; ++round) {
        byHand = std::min(byHand, timeOf(plain));
        here = std::min(here, timeOf(ours));
    }
    std::printf("%-14s %9lld %12.1f %12.1f %8.3f\n", name, static_cast<long long>(n), byHand * 1e6,
                here * 1e6, byHand / here);
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

/// The force at x on a unit of mass by all bodies; one dimension is enough to measure.
float forceAt(float x, const float* place, const float* mass, Index n) {
    float force = 0;
    for (Index j = 0; j < n; ++j) {
        const float distance = place[j] - x, square = distance * distance + 0.01f;
        force += mass[j] * distance / (square * std::sqrt(square));
    }
    return force;
}

void bodies(Index n) {
    const std::vector<float> place = numbers(n, 0, 100), mass = numbers(n, 1, 4);
    std::vector<float> r(place.size()), s(place.size());
    const float *const places = place.data(), *const masses = mass.data();
    const auto pattern = map([=](float x) { return forceAt(x, places, masses, n); });
    const auto plain = [&] {
#pragma omp parallel for
        for (Index k = 0; k < n; ++k)
            r[static_cast<std::size_t>(k)] = forceAt(places[k], places, masses, n);
    };
    compare("N-body", n, plain, [&] { pattern.into(s, place); });
    if (r != s) std::printf("N-body: another answer\n");
}

/// The time of one call, in nanoseconds.
template <class F>
double costOf(const F& call) {
    const int calls = 20000;
    double least = 1e9;
    for (int round = 0; round < rounds; ++round)
        least = std::min(least, timeOf([&] {
                             for (int k = 0; k < calls; ++k) call();
                         }));
    return least / calls * 1e9;
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
    if (argc > 1) rounds = std::atoi(argv[1]);
    std::printf("%-14s %9s %12s %12s %8s  (%d threads)\n", "", "n", "plain loop", "pattern",
                "ratio", hpspmd::detail::mostThreads(hpspmd::detail::Site::here()));
    for (const Index n : {Index(100000), Index(10000000)}) saxpy(n);
    for (const Index n : {Index(100000), Index(10000000)}) dotProduct(n);
    options(100000);
    bodies(4096);
    overheads();
}
