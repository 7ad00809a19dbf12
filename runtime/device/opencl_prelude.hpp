// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What stands before kernelMacros in OpenCL C.

namespace hpspmd::detail {

inline constexpr char openClPrelude[] = R"--(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define and &&
#define or ||
#define not !
#define xor ^
#define bitand &
#define bitor |
#define compl ~
#define and_eq &=
#define or_eq |=
#define xor_eq ^=
#define not_eq !=
#define HPSPMD_FUNCTION static inline
#define HPSPMD_GLOBAL __global
#define HPSPMD_LOCAL __local
#define HPSPMD_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define HPSPMD_SET_ONCE(place, n) atomic_cmpxchg(place, 0u, n)
#define HPSPMD_RAISE(place, n) atomic_max(place, n)
#define HPSPMD_UNROLLED
#define HPSPMD_GROUP_ID(d) get_group_id(d)
#define HPSPMD_LANE_ID(d) get_local_id(d)
#define HPSPMD_GROUPS(d) get_num_groups(d)
#define UNROLLED
#define OVERLOADED __attribute__((overloadable))
#define larger(a, b) ((a) < (b) ? (b) : (a))
#define smaller(a, b) ((b) < (a) ? (b) : (a))
#define magnitude(a) ((a) < 0 ? -(a) : (a))
#define MADE(T, ...) ((T){__VA_ARGS__})
#define ZERO(T) ((T){0})
#define IN(T, a) __global const T* restrict a##_data, const Index a##_place
#define OUT(T, a) __global T* restrict a##_data, const Index a##_place
#define INOUT(T, a) __global T* a##_data, const Index a##_place
#define LIST(T, a) __global const T* a
#define AT(T, a, place) __global T* const a##_at = a##_data + (a##_place + (place));
)--";

}  // namespace hpspmd::detail
