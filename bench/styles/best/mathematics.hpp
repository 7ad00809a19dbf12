// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C library, of which glibc has some for several numbers at once: a loop with
// `#pragma omp simd` takes those. They leave errno alone and may differ in the last two bits.
#pragma once
#include <cmath>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
#define STYLES_MANY __attribute__((simd("notinbranch"), const, nothrow))
#endif
#endif
#ifndef STYLES_MANY
#define STYLES_MANY __attribute__((const, nothrow))
#endif

namespace styles::best {

extern "C" {
double manyExp(double) __asm__("exp") STYLES_MANY;
double manyLog(double) __asm__("log") STYLES_MANY;
double manyErfc(double) __asm__("erfc") STYLES_MANY;
}

}  // namespace styles::best
