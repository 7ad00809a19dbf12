// What every benchmark program shares: its two arguments, its clock, and the line it prints.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace bench {

/// Extent and number of iterations from the command line, or the defaults.
inline std::pair<long, long> arguments(int argc, char** argv, long extent, long iterations) {
    if (argc > 1) extent = std::atol(argv[1]);
    if (argc > 2) iterations = std::atol(argv[2]);
    return {extent, iterations};
}

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
