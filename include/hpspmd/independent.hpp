// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#define HPSPMD_PRAGMA(...) _Pragma(#__VA_ARGS__)

/// Before a `for` over v: no iteration reads or writes what another one writes, so that several may
/// be computed at once. Where that gains nothing, the loop stays as it is without a warning.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define HPSPMD_INDEPENDENT(v) _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HPSPMD_INDEPENDENT(v) _Pragma("GCC ivdep")
#else
#define HPSPMD_INDEPENDENT(v)
#endif

/// Before a `for` of which the C++ compiler is to compute n iterations, one after the other, each
/// time it asks whether the loop has ended.
#if defined(__clang__)
#define HPSPMD_UNROLLED(n) HPSPMD_PRAGMA(unroll n)
#elif defined(__GNUC__)
#define HPSPMD_UNROLLED(n) HPSPMD_PRAGMA(GCC unroll n)
#else
#define HPSPMD_UNROLLED(n)
#endif

/// As HPSPMD_INDEPENDENT(v), but that the loop adds up numbers or keeps the largest or least ones:
/// HPSPMD_REDUCTION(j, reduction(+ : sum) reduction(max : worst)). Each of several iterations that
/// are computed at once may have its own, so that sums are added in another order. hpcc -O3 tells
/// the C++ compiler to heed it.
#if defined(HPSPMD_REDUCTIONS)
#define HPSPMD_REDUCTION(v, ...) HPSPMD_PRAGMA(omp simd __VA_ARGS__)
#else
#define HPSPMD_REDUCTION(v, ...) HPSPMD_INDEPENDENT(v)
#endif
