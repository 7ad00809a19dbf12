// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs share that repeat section 2 of the JavaGrande benchmarks.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace javagrande {

// The class of sizes that the command line names: `series A`, or `series test`.
inline int sizeOf(int count, char** words, int test, int a, int b, int c) {
    const char* const wanted = count > 1 ? words[1] : "test";
    if (std::strcmp(wanted, "A") == 0) return a;
    if (std::strcmp(wanted, "B") == 0) return b;
    if (std::strcmp(wanted, "C") == 0) return c;
    if (std::strcmp(wanted, "test") == 0) return test;
    std::fprintf(stderr, "usage: %s test|A|B|C\n", words[0]);
    std::exit(2);
}

// The generator of java.util.Random, whose numbers the benchmarks' answers belong to.
class Random {
public:
    explicit Random(std::int64_t seed)
        : state_((static_cast<std::uint64_t>(seed) ^ factor) & mask) {}

    std::int32_t nextInt() { return static_cast<std::int32_t>(next(32)); }
    double nextDouble() {
        const std::uint64_t high = next(26), low = next(27);
        return static_cast<double>((high << 27) + low) / 9007199254740992.0;
    }

private:
    static constexpr std::uint64_t factor = 0x5DEECE66DULL, mask = (1ULL << 48) - 1;
    std::uint64_t next(int bits) {
        state_ = (state_ * factor + 0xB) & mask;
        return (state_ >> (48 - bits)) & ((1ULL << bits) - 1);
    }
    std::uint64_t state_;
};

class Watch {
public:
    void stop() {
        const std::clock_t end = std::clock();
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        busy = static_cast<double>(end - began_) / CLOCKS_PER_SEC;
    }

    double seconds = 0, busy = 0;  // and those of a processor, of all threads together

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::clock_t began_ = std::clock();
};

// Ends the program with an error if the answer is not the benchmark's.
inline void validate(const char* what, double found, double wanted, double most) {
    if (std::fabs(found - wanted) <= most) return;
    std::printf("validation failed: %s is %.17g, not %.17g\n", what, found, wanted);
    std::exit(1);
}

// On standard error: what is computed is the same on any number of processes, the time is not.
inline void time(const char* what, const Watch& watch) {
    std::fprintf(stderr, "%s took %.7f s, %.4f s of a processor\n", what, watch.seconds,
                 watch.busy);
}

// Digits that tell any two answers apart.
inline void answer(const char* what, double value) { std::printf("%s %.17g\n", what, value); }

}  // namespace javagrande
