// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every benchmark program shares: its two arguments, its clock, and the line it prints.
#pragma once
#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace bench {

/// Extent and number of iterations from the command line, or the defaults.
inline std::pair<long, long> arguments(int argc, char** argv, long extent, long iterations) {
    if (argc > 1) extent = std::atol(argv[1]);
    if (argc > 2) iterations = std::atol(argv[2]);
    return {extent, iterations};
}

struct Free {
    void operator()(double* p) const { std::free(p); }
};
using Storage = std::unique_ptr<double, Free>;

/// `count` zeros for a hand-written program; on huge pages if they are many, as the library's are.
inline Storage zeros(long count) {
    const std::size_t page = std::size_t{1} << 21, bytes = std::size_t(count) * sizeof(double);
    const std::size_t alignment = bytes < page ? 64 : page;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    if (alignment == page) madvise(memory, bytes, MADV_HUGEPAGE);
    double* result = static_cast<double*>(memory);
    for (long e = 0; e < count; ++e) result[e] = 0;
    return Storage(result);
}

/// Eight numbers that lie anywhere: what the widest registers hold.
typedef double Pack __attribute__((vector_size(64), aligned(8)));
inline Pack& pack(double* p) { return *reinterpret_cast<Pack*>(p); }
inline const Pack& pack(const double* p) { return *reinterpret_cast<const Pack*>(p); }

/// The elements that `places` name of two packs of whatever type, one behind the other.
template <class P, class Places>
inline P chosen(P a, P b, Places places) {
#if defined(__clang__)
    constexpr int count = sizeof(P) / sizeof(a[0]);
    P result;
    for (int k = 0; k < count; ++k)
        result[k] = places[k] < count ? a[places[k]] : b[places[k] - count];
    return result;
#else
    return __builtin_shuffle(a, b, places);
#endif
}

/// The part of n lines that process `rank` of `size` holds.
struct Part {
    long first, count;
    Part(long n, int rank, int size) {
        const long block = (n + size - 1) / size;
        first = rank * block < n ? rank * block : n;
        count = (first + block < n ? first + block : n) - first;
    }
};

/// Wall-clock time in seconds since an arbitrary moment.
inline double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// One line, read by bench/run: microseconds per iteration, then a checksum that all rivals share.
inline void report(double secondsPerIteration, double checksum) {
    std::printf("%.4f %.10g\n", secondsPerIteration * 1e6, checksum);
}

}  // namespace bench
