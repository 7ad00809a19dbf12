// Rival: red-black relaxation as a sequential C++ loop over rows, told to the compiler as
// restricted pointers with independent iterations.
#include "../bench.hpp"

static void relaxRow(double* __restrict row, const double* __restrict above,
                     const double* __restrict below, long first, long last) {
#pragma GCC ivdep
    for (long j = first; j <= last; j += 2)
        row[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

int main(int argc, char** argv) {
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    std::vector<double> a(n * n, 0.0);
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j)
            if (i == 0 || i == n - 1 || j == 0 || j == n - 1) a[i * n + j] = double(i * i - j * j);

    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it)
        for (long i = 1; i <= n - 2; ++i)
            relaxRow(&a[i * n], &a[(i - 1) * n], &a[(i + 1) * n], 1 + (i + it) % 2, n - 2);
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (double v : a) sum += v * v;
    bench::report(elapsed / sweeps, sum);
}
