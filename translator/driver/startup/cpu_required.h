// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Included by hpcc before the first line of every file that it compiles: notes in the object file
   which instructions the compiler was allowed to use there, as words. cpu_check.cpp reads the notes
   at start. */
#pragma once

#if defined(__x86_64__) && defined(__ELF__)
__attribute__((section("hpcpp_cpu"), used)) static const char hpcppCpuNote[] =
    ""
#ifdef __SSE3__
    " sse3"
#endif
#ifdef __SSSE3__
    " ssse3"
#endif
#ifdef __SSE4_1__
    " sse4.1"
#endif
#ifdef __SSE4_2__
    " sse4.2"
#endif
#ifdef __POPCNT__
    " popcnt"
#endif
#ifdef __AVX__
    " avx"
#endif
#ifdef __AVX2__
    " avx2"
#endif
#ifdef __FMA__
    " fma"
#endif
#ifdef __BMI__
    " bmi"
#endif
#ifdef __BMI2__
    " bmi2"
#endif
#ifdef __AVX512F__
    " avx512f"
#endif
#ifdef __AVX512VL__
    " avx512vl"
#endif
#ifdef __AVX512BW__
    " avx512bw"
#endif
#ifdef __AVX512DQ__
    " avx512dq"
#endif
#ifdef __AVX512CD__
    " avx512cd"
#endif
#ifdef __AVX512VBMI__
    " avx512vbmi"
#endif
#ifdef __AVX512IFMA__
    " avx512ifma"
#endif
#ifdef __AVX512VNNI__
    " avx512vnni"
#endif
#ifdef __AVX512VBMI2__
    " avx512vbmi2"
#endif
#ifdef __AVX512BITALG__
    " avx512bitalg"
#endif
#ifdef __AVX512VPOPCNTDQ__
    " avx512vpopcntdq"
#endif
#ifdef __GFNI__
    " gfni"
#endif
#ifdef __VPCLMULQDQ__
    " vpclmulqdq"
#endif
#ifdef __FMA4__
    " fma4"
#endif
#ifdef __XOP__
    " xop"
#endif
    ;
#endif
