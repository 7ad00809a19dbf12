// Rival: explicit 3-D diffusion, seven-point stencil, two arrays, as a sequential C++ loop.
#include "../bench.hpp"

int main(int argc, char** argv) {
    const auto [n, steps] = bench::arguments(argc, argv, 64, 200);
    std::vector<double> u(n * n * n, 0.0), v(n * n * n, 0.0);
    u[(n / 2 * n + n / 2) * n + n / 2] = v[(n / 2 * n + n / 2) * n + n / 2] = 1000.0;
    double *from = u.data(), *to = v.data();
    const double c = 0.1;
    const long row = n, plane = n * n;

    const double start = bench::seconds();
    for (long step = 0; step < steps; ++step) {
        for (long i = 1; i < n - 1; ++i)
            for (long j = 1; j < n - 1; ++j)
                for (long k = 1; k < n - 1; ++k) {
                    const long e = i * plane + j * row + k;
                    to[e] =
                        from[e] + c * (from[e - plane] + from[e + plane] + from[e - row] +
                                       from[e + row] + from[e - 1] + from[e + 1] - 6.0 * from[e]);
                }
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < n * n * n; ++e) sum += from[e] * from[e];
    bench::report(elapsed / steps, sum);
}
