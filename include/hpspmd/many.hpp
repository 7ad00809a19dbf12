// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Functions of the C library for several numbers at once: those of glibc's libmvec (2.35 and
/// later, x86-64), elsewhere one after the other. They leave errno alone, and the last digits may
/// differ from those of the functions for one number. hpcc --vector-math emits calls of them.

#include <hpspmd/iterations.hpp>

#include <cmath>

#if defined(__x86_64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define HPSPMD_LIBMVEC
#endif
#endif

#ifdef HPSPMD_LIBMVEC
#ifdef __clang__
#define HPSPMD_SIMD __attribute__((const, nothrow))
#else
#define HPSPMD_SIMD __attribute__((simd("notinbranch"), const, nothrow))
#endif
// The names of the ABI for vector functions: of b SSE, c AVX, d AVX2, e AVX-512, and the lanes.
#if defined(__AVX512F__)
#define HPSPMD_VECTOR_OF(name) "_ZGVeN8" name
#elif defined(__AVX2__)
#define HPSPMD_VECTOR_OF(name) "_ZGVdN4" name
#elif defined(__AVX__)
#define HPSPMD_VECTOR_OF(name) "_ZGVcN4" name
#else
#define HPSPMD_VECTOR_OF(name) "_ZGVbN2" name
#endif

// The C++ compiler takes those of one number in loops, too, where each iteration calls them.
#define HPSPMD_MANY(f)                                                                  \
    double f(double) __asm__(#f) HPSPMD_SIMD;                                           \
    float f(float) __asm__(#f "f") HPSPMD_SIMD;                                         \
    DoublePack f(DoublePack) __asm__(HPSPMD_VECTOR_OF("v_" #f)) __attribute__((const)); \
    template <int n>                                                                    \
    Each<double, n> f(const Each<double, n>& x) {                                       \
        return eachOfPacks<double, n>([&](int p) { return f(x.packs[p]); });            \
    }
#define HPSPMD_MANY_OF_TWO(f)                                                            \
    double f(double, double) __asm__(#f) HPSPMD_SIMD;                                    \
    float f(float, float) __asm__(#f "f") HPSPMD_SIMD;                                   \
    DoublePack f(DoublePack, DoublePack) __asm__(HPSPMD_VECTOR_OF("vv_" #f))             \
        __attribute__((const));                                                          \
    template <int n>                                                                     \
    Each<double, n> f(const Each<double, n>& x, const Each<double, n>& y) {              \
        return eachOfPacks<double, n>([&](int p) { return f(x.packs[p], y.packs[p]); }); \
    }
#else
#define HPSPMD_MANY(f)                                                       \
    using std::f;                                                            \
    template <int n>                                                         \
    Each<double, n> f(const Each<double, n>& x) {                            \
        return All<n>().eachOf([](double each) { return std::f(each); }, x); \
    }
#define HPSPMD_MANY_OF_TWO(f)                                                          \
    using std::f;                                                                      \
    template <int n>                                                                   \
    Each<double, n> f(const Each<double, n>& x, const Each<double, n>& y) {            \
        return All<n>().eachOf([](double a, double b) { return std::f(a, b); }, x, y); \
    }
#endif

namespace hpspmd::detail::many {

HPSPMD_MANY(acos)
HPSPMD_MANY(acosh)
HPSPMD_MANY(asin)
HPSPMD_MANY(asinh)
HPSPMD_MANY(atan)
HPSPMD_MANY(atanh)
HPSPMD_MANY(cbrt)
HPSPMD_MANY(cos)
HPSPMD_MANY(cosh)
HPSPMD_MANY(erf)
HPSPMD_MANY(erfc)
HPSPMD_MANY(exp)
HPSPMD_MANY(exp2)
HPSPMD_MANY(expm1)
HPSPMD_MANY(log)
HPSPMD_MANY(log10)
HPSPMD_MANY(log1p)
HPSPMD_MANY(log2)
HPSPMD_MANY(sin)
HPSPMD_MANY(sinh)
HPSPMD_MANY(tan)
HPSPMD_MANY(tanh)
HPSPMD_MANY_OF_TWO(atan2)
HPSPMD_MANY_OF_TWO(hypot)
HPSPMD_MANY_OF_TWO(pow)

}  // namespace hpspmd::detail::many

#undef HPSPMD_MANY
#undef HPSPMD_MANY_OF_TWO
#undef HPSPMD_VECTOR_OF
#undef HPSPMD_SIMD
