// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of libFuzzer.
#include <cstdlib>
#include <cstring>

#include <sys/resource.h>
#include <unistd.h>

#include "harness.hpp"

extern "C" std::size_t LLVMFuzzerMutate(uint8_t* data, std::size_t size, std::size_t limit);

namespace hpcc::fuzz {
namespace {

/// hpcc works on a deep stack (threads/deep_stack.hpp): so does a fuzzer, which begins anew for
/// that.
void deepenStack(char** arguments) {
    constexpr rlim_t wanted = rlim_t{1} << 30;
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted && limit.rlim_max >= wanted) {
        limit.rlim_cur = wanted;
        if (setrlimit(RLIMIT_STACK, &limit) == 0) execv("/proc/self/exe", arguments);
    }
}

std::string asText(const uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Copies the text to `data`; 0 if it is empty or does not fit.
std::size_t store(const std::string& text, uint8_t* data, std::size_t limit) {
    if (text.size() > limit) return 0;
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

Mutator& mutator() {
    static Mutator mutator(mix, HPCPP_FUZZ_DICTIONARY);
    return mutator;
}

}  // namespace
}  // namespace hpcc::fuzz

using namespace hpcc::fuzz;

/// Stacks of allocations cost a fifth of the time, and a finding can be run again with them.
extern "C" const char* __asan_default_options() {
    return "malloc_context_size=0:quarantine_size_mb=8:detect_stack_use_after_return=0";
}

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
    deepenStack(*arguments);
    std::atexit(tellCounts);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    run(asText(data, size));
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t limit,
                                               unsigned seed) {
    Random random(seed);
    const std::string text = asText(data, size);
    for (int attempt = 0; attempt < 4; ++attempt) {
        const std::string changed = mutator().mutated(text, random);
        if (changed.empty()) break;
        if (changed == text) continue;
        if (const std::size_t stored = store(changed, data, limit)) return stored;
    }
    return LLVMFuzzerMutate(data, size, limit);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, std::size_t oneSize,
                                                 const uint8_t* other, std::size_t otherSize,
                                                 uint8_t* out, std::size_t limit, unsigned seed) {
    Random random(seed);
    return store(mutator().crossed(asText(one, oneSize), asText(other, otherSize), random), out,
                 limit);
}
