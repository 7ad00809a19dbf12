// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Calls of a fake driver: the one with the number FAKE_FAIL fails, and all that follow if
/// FAKE_LASTING is set. How many there were is written to the file FAKE_COUNT.

#include <cstdio>
#include <cstdlib>

namespace fake {

/// What a call of CUDA gives that is about to do its work: 0, or an error.
int beginCall();

inline bool isSet(const char* variable) { return std::getenv(variable) != nullptr; }

struct Counter {
    long calls = 0;

    ~Counter() {
        const char* const name = std::getenv("FAKE_COUNT");
        std::FILE* const file = name != nullptr ? std::fopen(name, "w") : nullptr;
        if (file == nullptr) return;
        std::fprintf(file, "%ld\n", calls);
        std::fclose(file);
    }

    bool failsNow() {
        const char* const wanted = std::getenv("FAKE_FAIL");
        ++calls;
        if (wanted == nullptr) return false;
        const long number = std::atol(wanted);
        return calls == number || (calls > number && isSet("FAKE_LASTING"));
    }
};

}  // namespace fake
