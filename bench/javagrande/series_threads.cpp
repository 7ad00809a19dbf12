// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JavaGrande Series: Fourier coefficients of (x + 1)^x on [0, 2], in threads by hand.
// usage: series_threads test|A|B|C
#include "javagrande.hpp"
#include "threads.hpp"

#include <algorithm>
#include <vector>

// (x + 1)^x, or that times a cosine or sine.
double value(double x, double omega, int which) {
    if (which == 0) return std::pow(x + 1.0, x);
    if (which == 1) return std::pow(x + 1.0, x) * std::cos(omega * x);
    return std::pow(x + 1.0, x) * std::sin(omega * x);
}

// By trapezoids.
double integral(double from, double to, int steps, double omega, int which) {
    const double width = (to - from) / steps;
    double x = from, sum = value(from, omega, which) / 2.0;
    for (int k = 2; k < steps; ++k) {
        x += width;
        sum += value(x, omega, which);
    }
    return (sum + value(to, omega, which) / 2.0) * width;
}

void coefficients(std::vector<double>& a, std::vector<double>& b) {
    const double omega = 3.1415926535897932;
    const std::size_t count = javagrande::threads(), n = a.size();
    a[0] = integral(0.0, 2.0, 1000, 0.0, 0) / 2.0;
    javagrande::inThreads(count, [&](std::size_t t) {
        const std::size_t end = javagrande::partOf(n, t + 1, count, 1);
        for (std::size_t i = std::max<std::size_t>(1, javagrande::partOf(n, t, count, 1)); i < end;
             ++i) {
            a[i] = integral(0.0, 2.0, 1000, omega * double(i), 1);
            b[i] = integral(0.0, 2.0, 1000, omega * double(i), 2);
        }
    });
}

int main(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 40, 10000, 100000, 1000000);
    std::vector<double> a(n), b(n), first(4), second(4);
    coefficients(first, second);  // what starts once is not measured
    javagrande::Watch watch;
    coefficients(a, b);
    watch.stop();

    const double wanted[2][4] = {
        {2.8729524964837996, 1.1161046676147888, 0.34429060398168704, 0.15238898702519288},
        {0.0, -1.8819691893398025, -1.1645642623320958, -0.8143461113044298}};
    for (int i = 0; i < 4; ++i) {
        javagrande::validate("a coefficient", a[i], wanted[0][i], 1e-12);
        javagrande::validate("a coefficient", b[i], wanted[1][i], 1e-12);
    }
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] - b[i];
    javagrande::answer("series", sum);
    javagrande::time("series", watch);
}
