// Direct matrix multiplication in plain C++, timed.
#include "../bench.hpp"

#include <vector>

int main(int argc, char** argv) {
    const auto [n, rounds] = bench::arguments(argc, argv, 150, 20);
    std::vector<double> a(n * n), b(n * n), c(n * n);
    for (long i = 0; i < n; ++i)
        for (long k = 0; k < n; ++k) {
            a[i * n + k] = double((i + 2 * k) % 7);
            b[k * n + i] = double((3 * k + i) % 5);
        }
    // Plain pointers: with the back end at -O0 every operator[] of a vector is a call.
    const double *const pa = a.data(), *const pb = b.data();
    double* const pc = c.data();
    const double start = bench::seconds();
    for (long round = 0; round < rounds; ++round)
        for (long i = 0; i < n; ++i)
            for (long j = 0; j < n; ++j) {
                double sum = 0;
                for (long k = 0; k < n; ++k) sum += pa[i * n + k] * pb[k * n + j];
                pc[i * n + j] = sum;
            }
    const double seconds = bench::seconds() - start;
    double sum = 0;
    for (const double v : c) sum += v * v;
    bench::report(seconds / rounds, sum);
}
