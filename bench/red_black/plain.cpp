// Rival: red-black relaxation of Laplace's equation as a straightforward sequential C++ loop.
#include "../bench.hpp"

int main(int argc, char** argv) {
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    std::vector<double> a(n * n, 0.0);
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j)
            if (i == 0 || i == n - 1 || j == 0 || j == n - 1) a[i * n + j] = double(i * i - j * j);

    // A pointer: with the back end at -O0 every operator[] of a vector is a call.
    double* const p = a.data();
    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it)
        for (long i = 1; i <= n - 2; ++i)
            for (long j = 1 + (i + it) % 2; j <= n - 2; j += 2)
                p[i * n + j] = 0.25 * (p[(i - 1) * n + j] + p[(i + 1) * n + j] + p[i * n + j - 1] +
                                       p[i * n + j + 1]);
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (double v : a) sum += v * v;
    bench::report(elapsed / sweeps, sum);
}
