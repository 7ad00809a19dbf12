// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the Parallel Research Kernels share: https://github.com/ParRes/Kernels. Each prints
// "Solution validates" and its rate, as they do there, or ends with an error.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace prk {

/// The k-th argument of the command line, or a default.
inline long argument(int argc, char** argv, int k, long byDefault) {
    return argc > k ? std::atol(argv[k]) : byDefault;
}

/// One process tells the outcome; amount is what one iteration does: bytes, operations.
inline void report(bool isFirst, bool isValid, double amount, const char* unit, double seconds) {
    if (isFirst && isValid)
        std::printf("Solution validates\nRate (M%s/s): %.1f Avg time (s): %.3g\n", unit,
                    1e-6 * amount / seconds, seconds);
    if (isFirst && !isValid) std::printf("ERROR: the solution does not validate\n");
    std::fflush(stdout);
    if (!isValid) std::exit(1);
}

}  // namespace prk
