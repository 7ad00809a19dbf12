// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into every program and compiled for any CPU: before the program's own constructors run,
// compares what its object files need (cpu_required.h) with what this CPU has. Without it, a
// program compiled on a newer machine of a cluster dies by SIGILL with no word about the reason.

#if defined(__x86_64__) && defined(__ELF__)
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
// Set by the linker around the section that the notes lie in; absent if no object has one.
extern const char __start_hpcpp_cpu[]
    __attribute__((weak));  // NOLINT(readability-identifier-naming)
extern const char __stop_hpcpp_cpu[]
    __attribute__((weak));  // NOLINT(readability-identifier-naming)
}

namespace {

struct Feature {
    const char* name;
    bool present;
};

bool isNamed(const char* name, const char* note) {
    const size_t length = std::strlen(name);
    for (const char* at = note; (at = std::strstr(at, name)) != nullptr; at += length) {
        if (at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

/// Whether some object file needs the feature; the notes are strings with zero bytes between them.
bool isRequired(const char* name) {
    for (const char* note = __start_hpcpp_cpu; note < __stop_hpcpp_cpu;
         note += std::strlen(note) + 1) {
        if (isNamed(name, note)) return true;
    }
    return false;
}

[[noreturn]] void refuse(const char* feature) {
    std::fprintf(stderr,
                 "hpcc: this program was compiled for a CPU with %s, which this one lacks; compile "
                 "it on this "
                 "machine, or with an -march= that all machines have\n",
                 feature);
    std::_Exit(90);
}

// The name must be a literal.
#define HPCPP_FEATURE(name) \
    { name, __builtin_cpu_supports(name) != 0 }

__attribute__((constructor(101))) void checkCpu() {
    if (&__start_hpcpp_cpu[0] == &__stop_hpcpp_cpu[0]) return;
    __builtin_cpu_init();
    const Feature features[] = {
        HPCPP_FEATURE("sse3"),
        HPCPP_FEATURE("ssse3"),
        HPCPP_FEATURE("sse4.1"),
        HPCPP_FEATURE("sse4.2"),
        HPCPP_FEATURE("popcnt"),
        HPCPP_FEATURE("avx"),
        HPCPP_FEATURE("avx2"),
        HPCPP_FEATURE("fma"),
        HPCPP_FEATURE("bmi"),
        HPCPP_FEATURE("bmi2"),
        HPCPP_FEATURE("avx512f"),
        HPCPP_FEATURE("avx512vl"),
        HPCPP_FEATURE("avx512bw"),
        HPCPP_FEATURE("avx512dq"),
        HPCPP_FEATURE("avx512cd"),
        HPCPP_FEATURE("avx512vbmi"),
        HPCPP_FEATURE("avx512ifma"),
        HPCPP_FEATURE("avx512vnni"),
        HPCPP_FEATURE("avx512vbmi2"),
        HPCPP_FEATURE("avx512bitalg"),
        HPCPP_FEATURE("avx512vpopcntdq"),
        HPCPP_FEATURE("gfni"),
        HPCPP_FEATURE("vpclmulqdq"),
        HPCPP_FEATURE("fma4"),
        HPCPP_FEATURE("xop"),
    };
    for (const Feature& feature : features) {
        if (!feature.present && isRequired(feature.name)) refuse(feature.name);
    }
}

}  // namespace
#endif
