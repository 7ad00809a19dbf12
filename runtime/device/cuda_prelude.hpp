// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What stands before kernelMacros in CUDA C++. Functions are those of the device
/// (--device-as-default-execution-space).

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
#define OVERLOADED
#define MADE(T, ...) (T{__VA_ARGS__})
#define ZERO(T) (T{})
#define IN(T, a) const T* __restrict__ a##_data
#define OUT(T, a) T* __restrict__ a##_data
#define INOUT(T, a) T* a##_data
#define LIST(T, a) const T* a
#define AT(T, a, place) T* const a##_at = a##_data + (place);
)--";

}  // namespace hpspmd::detail
