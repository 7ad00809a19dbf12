// Rival: explicit 3-D diffusion as a sequential C++ loop over rows, told to the compiler as
// restricted pointers.
#include "../bench.hpp"

static void diffuseRow(double* __restrict to, const double* __restrict from, long row, long plane,
                       long n, double c) {
#pragma GCC ivdep
    for (long k = 1; k < n - 1; ++k)
        to[k] = from[k] + c * (from[k - plane] + from[k + plane] + from[k - row] + from[k + row] +
                               from[k - 1] + from[k + 1] - 6.0 * from[k]);
}

int main(int argc, char** argv) {
    const auto [n, steps] = bench::arguments(argc, argv, 64, 200);
    std::vector<double> u(n * n * n, 0.0), v(n * n * n, 0.0);
    u[(n / 2 * n + n / 2) * n + n / 2] = v[(n / 2 * n + n / 2) * n + n / 2] = 1000.0;
    double *from = u.data(), *to = v.data();
    const long row = n, plane = n * n;

    const double start = bench::seconds();
    for (long step = 0; step < steps; ++step) {
        for (long i = 1; i < n - 1; ++i)
            for (long j = 1; j < n - 1; ++j)
                diffuseRow(to + i * plane + j * row, from + i * plane + j * row, row, plane, n,
                           0.1);
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < n * n * n; ++e) sum += from[e] * from[e];
    bench::report(elapsed / steps, sum);
}
