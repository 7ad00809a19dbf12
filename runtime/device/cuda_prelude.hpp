// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What stands before kernelMacros in CUDA C++. Functions are those of the device
/// (--device-as-default-execution-space). Numbers of lists are read through the cache for what no
/// lane changes, so that the compiler reads them well before they are needed: bodies that attract
/// each other take 0.84 of the time. Sparse rows of nests would take 1.1 times theirs; arrays of
/// nests are read as usual. With HPSPMD_CHANGING lanes change what lists hold.

namespace hpspmd::detail {

inline constexpr char cudaPrelude[] = R"--(
#define HPSPMD_FUNCTION inline
#define HPSPMD_GLOBAL
#define HPSPMD_LOCAL __shared__
#define HPSPMD_BARRIER __syncthreads()
#define HPSPMD_SET_ONCE(place, n) atomicCAS(place, 0u, n)
#define HPSPMD_RAISE(place, n) atomicMax(place, n)
#define HPSPMD_UNROLLED _Pragma("unroll")
#define HPSPMD_ALONG_DIMENSION(v, d) ((d) == 0 ? (v).x : (d) == 1 ? (v).y : (v).z)
#define HPSPMD_GROUP_ID(d) HPSPMD_ALONG_DIMENSION(blockIdx, d)
#define HPSPMD_LANE_ID(d) HPSPMD_ALONG_DIMENSION(threadIdx, d)
#define HPSPMD_GROUPS(d) HPSPMD_ALONG_DIMENSION(gridDim, d)
template <class A, class B>
inline auto larger(A a, B b) { return a < b ? b : a; }
template <class A, class B>
inline auto smaller(A a, B b) { return b < a ? b : a; }
template <class A>
inline A magnitude(A a) { return a < 0 ? -a : a; }
#define UNROLLED _Pragma("unroll 8")
#define OVERLOADED
#define MADE(T, ...) (T{__VA_ARGS__})
#define ZERO(T) (T{})
template <class T>
struct ReadOnly {
    const T* first;
    inline ReadOnly(const T* first) : first(first) {}
    inline T operator[](long k) const { return __ldg(first + k); }
};
template <class T>
struct ListOf { typedef const T* Type; };
#ifndef HPSPMD_CHANGING
#define HPSPMD_READ_ONLY(T) template <> struct ListOf<T> { typedef ReadOnly<T> Type; };
HPSPMD_READ_ONLY(signed char) HPSPMD_READ_ONLY(unsigned char) HPSPMD_READ_ONLY(char)
HPSPMD_READ_ONLY(short) HPSPMD_READ_ONLY(unsigned short) HPSPMD_READ_ONLY(int) HPSPMD_READ_ONLY(unsigned)
HPSPMD_READ_ONLY(long) HPSPMD_READ_ONLY(unsigned long) HPSPMD_READ_ONLY(float) HPSPMD_READ_ONLY(double)
#endif
#define LIST(T, a) const ListOf<T>::Type a
#define IN(T, a) const T* __restrict__ a##_data
#define OUT(T, a) T* __restrict__ a##_data
#define INOUT(T, a) T* a##_data
#define AT(T, a, place) T* const a##_at = a##_data + (place);
)--";

}  // namespace hpspmd::detail
