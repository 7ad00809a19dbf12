// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What stands before a kernel text in OpenCL C: the macros of hpspmd/device/kernel.hpp. The
/// options -DHPSPMD_WIDTH=.., _HEIGHT, _DEPTH and _ROWS tell the shape of a group of lanes, and how
/// many iterations of the outermost loop a lane takes at a time.

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
typedef long Index;
typedef struct { Index first, last, origin, low, high; } Run;
static inline Run part(Run run, Index l, Index u, Index s) {
    run.first = l;
    if (l < run.low) run.first = s == 1 ? run.low : l + (run.low - l + s - 1) / s * s;
    run.last = u < run.high ? u : run.high;
    run.first -= run.origin;
    run.last -= run.origin;
    return run;
}
#define larger(a, b) ((a) < (b) ? (b) : (a))
#define smaller(a, b) ((b) < (a) ? (b) : (a))
#define magnitude(a) ((a) < 0 ? -(a) : (a))
#define IN(T, a) __global const T* restrict a##_data, const Index a##_place
#define OUT(T, a) __global T* restrict a##_data, const Index a##_place
#define INOUT(T, a) __global T* a##_data, const Index a##_place
#define AT(T, a, place) __global T* const a##_at = a##_data + (a##_place + (place));
#define HPSPMD_SIZE(d) ((d) == 0 ? HPSPMD_WIDTH : (d) == 1 ? HPSPMD_HEIGHT : HPSPMD_DEPTH)
#define HPSPMD_ALONG(i, begin, end, d, s) \
    for (Index i = (begin) + (s) * (Index)(get_group_id(d) * HPSPMD_SIZE(d) + get_local_id(d)); \
         i <= (end); i += (s) * (Index)(get_num_groups(d) * HPSPMD_SIZE(d)))
#define COLUMNS(j, run, s) HPSPMD_ALONG(j, run.first, run.last, 0, s)
#define MIDDLE(j, run, s) HPSPMD_ALONG(j, run.first, run.last, 1, s)
#define EVERY_ROW_OF(i, run, d, s) HPSPMD_ALONG(i, run.first, run.last, d, s)
#define ROWS_OF(i, run, d) HPSPMD_ALONG(i##_first, run.first, run.last, d, HPSPMD_ROWS) \
    for (Index i##_count = smaller(HPSPMD_ROWS, run.last - i##_first + 1); i##_count > 0; \
         i##_count = 0)
#define EACH_ROW(r, i) for (Index r = 0; r < i##_count; ++r)
#define HPSPMD_LANES (HPSPMD_WIDTH * HPSPMD_HEIGHT * HPSPMD_DEPTH)
#define HPSPMD_LANE \
    (get_local_id(0) + HPSPMD_WIDTH * (get_local_id(1) + HPSPMD_HEIGHT * get_local_id(2)))
#define HPSPMD_GROUP \
    (get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)))
#define HPSPMD_ADDED(a, b) ((a) + (b))
#define HPSPMD_JOIN(T, x, join) \
    __local T x##_lanes[HPSPMD_LANES]; \
    x##_lanes[HPSPMD_LANE] = x; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    for (int x##_half = HPSPMD_LANES / 2; x##_half > 0; x##_half >>= 1) { \
        if (HPSPMD_LANE < x##_half) \
            x##_lanes[HPSPMD_LANE] = \
                join(x##_lanes[HPSPMD_LANE], x##_lanes[HPSPMD_LANE + x##_half]); \
        barrier(CLK_LOCAL_MEM_FENCE); \
    } \
    if (HPSPMD_LANE == 0) x##_pieces[HPSPMD_GROUP] = x##_lanes[0];
#define JOINED(T, x) T x, __global T* x##_pieces
#define JOIN_SUM(T, x) HPSPMD_JOIN(T, x, HPSPMD_ADDED)
#define JOIN_MAX(T, x) HPSPMD_JOIN(T, x, larger)
#define JOIN_MIN(T, x) HPSPMD_JOIN(T, x, smaller)
)--";

}  // namespace hpspmd::detail
