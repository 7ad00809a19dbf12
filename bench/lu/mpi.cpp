// Rival: LU factorisation without pivoting on one process. KERNEL is plain.hpp.
#include "../split.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [n, rounds] = bench::arguments(argc, argv, 300, 20);
    const bench::Storage a = bench::zeros(n * n);
    double elapsed = 0;
    for (long round = 0; round < rounds; ++round) {
        for (long j = 0; j < n; ++j)
            for (long i = 0; i < n; ++i)
                a.get()[j * n + i] = double((i < j ? i : j) + 1) + double(i == j ? n : 0);
        const double start = bench::seconds();
        factorise(a.get(), n);
        elapsed += bench::seconds() - start;
    }
    double sum = 0;
    for (long e = 0; e < n * n; ++e) sum += a.get()[e] * a.get()[e];
    split.report(elapsed / double(rounds), sum);
}
