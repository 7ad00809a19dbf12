// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What stands before a kernel text on every device: the macros of hpspmd/device/kernel.hpp. In
/// front of it stands what a kind of devices has of its own (opencl_prelude.hpp, cuda_prelude.hpp):
/// how arrays are passed, and the words HPSPMD_FUNCTION, _GLOBAL, _LOCAL, _BARRIER, _UNROLLED,
/// _GROUP_ID(d), _LANE_ID(d), _GROUPS(d), _SET_ONCE(place, n), which sets a number that is 0 and
/// gives what it was, and _RAISE(place, n), which makes a number n unless it is larger. Definitions
/// of HPSPMD_WIDTH, _HEIGHT, _DEPTH and _ROWS tell the shape of a group of lanes, and how many
/// iterations of the outermost loop a lane takes at a time; HPSPMD_ONCE, that there are lanes for
/// all of them.

namespace hpspmd::detail {

inline constexpr char kernelMacros[] = R"--(
typedef long Index;
typedef HPSPMD_STRIDE Stride;
typedef struct { Index first, last, origin, low, high, scale; } Run;
HPSPMD_FUNCTION Run part(Run run, Index l, Index u, Index s) {
    run.first = l;
    if (l < run.low) run.first = s == 1 ? run.low : l + (run.low - l + s - 1) / s * s;
    run.last = u < run.high ? u : run.high;
    run.first -= run.origin;
    run.last -= run.origin;
    if (run.scale != 1) {
        run.first = (run.first + run.scale - 1) / run.scale;
        run.last = run.last < 0 ? -1 : run.last / run.scale;
    }
    return run;
}
HPSPMD_FUNCTION Index hpspmd_fit(Index e, Index n, int number, int* beyond, Index* subscript) {
    if ((unsigned long)e < (unsigned long)n) return e;
    *beyond = number;
    *subscript = e;
    return 0;
}
HPSPMD_FUNCTION void hpspmd_tell(HPSPMD_GLOBAL unsigned* found, unsigned launch, int number,
                                 Index e) {
    const Index most = 2147483647;
    const unsigned first = HPSPMD_SET_ONCE(found, launch);
    if (first == 0 || first == launch)
        HPSPMD_RAISE(found + number,
                     (unsigned)((e > most ? most : e < -most ? -most : e) + most + 1));
}
#define CHECKED(beyond) \
    HPSPMD_GLOBAL unsigned* beyond, unsigned beyond##_launch, int beyond##_number, Index beyond##_at
#define FIT(beyond, e, n, number) hpspmd_fit(e, n, number, &beyond##_number, &beyond##_at)
#define FITTED(beyond) (beyond##_number == 0)
#define TELL(beyond) \
    if (beyond##_number != 0) hpspmd_tell(beyond, beyond##_launch, beyond##_number, beyond##_at);
#define EXTENT(n) Index n
#define RECORD(name, members, same) typedef struct { members } name;
#define COMPLEX(C, T) \
    typedef struct { T re, im; } C; \
    HPSPMD_FUNCTION C C##_minus(C z) { return MADE(C, -z.re, -z.im); } \
    HPSPMD_FUNCTION C C##_conj(C z) { return MADE(C, z.re, -z.im); } \
    HPSPMD_FUNCTION T C##_norm(C z) { return z.re * z.re + z.im * z.im; } \
    HPSPMD_FUNCTION T C##_abs(C z) { return hypot(z.re, z.im); } \
    HPSPMD_FUNCTION C C##_plus(C z, C w) { return MADE(C, z.re + w.re, z.im + w.im); } \
    HPSPMD_FUNCTION C C##_less(C z, C w) { return MADE(C, z.re - w.re, z.im - w.im); } \
    HPSPMD_FUNCTION C C##_plusReal(C z, T r) { return MADE(C, z.re + r, z.im); } \
    HPSPMD_FUNCTION C C##_lessReal(C z, T r) { return MADE(C, z.re - r, z.im); } \
    HPSPMD_FUNCTION C C##_fromReal(T r, C z) { return MADE(C, r - z.re, -z.im); } \
    HPSPMD_FUNCTION C C##_timesReal(C z, T r) { return MADE(C, z.re * r, z.im * r); } \
    HPSPMD_FUNCTION C C##_dividedBy(C z, T r) { return MADE(C, z.re / r, z.im / r); } \
    HPSPMD_FUNCTION T C##_bounded(T a, int isInfinite) { \
        return copysign(isInfinite ? (T)1 : (T)0, a); \
    } \
    HPSPMD_FUNCTION C C##_times(C z, C w) { \
        const T a = z.re * w.re, b = z.im * w.im, c = z.re * w.im, d = z.im * w.re; \
        const T re = a - b, im = c + d; \
        if (re == re || im == im) return MADE(C, re, im); \
        const int isZ = HPSPMD_INFINITE(z.re) || HPSPMD_INFINITE(z.im); \
        const int isW = HPSPMD_INFINITE(w.re) || HPSPMD_INFINITE(w.im); \
        const int isPart = HPSPMD_INFINITE(a) || HPSPMD_INFINITE(b) || HPSPMD_INFINITE(c) || \
                           HPSPMD_INFINITE(d); \
        if (!isZ && !isW && !isPart) return MADE(C, re, im); \
        if (isZ) z = MADE(C, C##_bounded(z.re, HPSPMD_INFINITE(z.re)), \
                          C##_bounded(z.im, HPSPMD_INFINITE(z.im))); \
        if (isW) w = MADE(C, C##_bounded(w.re, HPSPMD_INFINITE(w.re)), \
                          C##_bounded(w.im, HPSPMD_INFINITE(w.im))); \
        if (z.re != z.re) z.re = C##_bounded(z.re, 0); \
        if (z.im != z.im) z.im = C##_bounded(z.im, 0); \
        if (w.re != w.re) w.re = C##_bounded(w.re, 0); \
        if (w.im != w.im) w.im = C##_bounded(w.im, 0); \
        const T much = (T)1e300 * (T)1e300; \
        return MADE(C, much * (z.re * w.re - z.im * w.im), much * (z.re * w.im + z.im * w.re)); \
    } \
    HPSPMD_FUNCTION C C##_over(C z, C w) { \
        T a = z.re, b = z.im, c = w.re, d = w.im, x, y; \
        if (sizeof(T) == 4) { \
            HPSPMD_OVER_FLOAT \
        } else { \
            HPSPMD_OVER_DOUBLE \
        } \
        const T much = (T)1e300 * (T)1e300; \
        if (x == x || y == y) return MADE(C, x, y); \
        const int isFinite = HPSPMD_FINITE(a) && HPSPMD_FINITE(b); \
        if (c == 0 && d == 0 && (a == a || b == b)) \
            return MADE(C, copysign(much, c) * a, copysign(much, c) * b); \
        if ((HPSPMD_INFINITE(a) || HPSPMD_INFINITE(b)) && HPSPMD_FINITE(c) && HPSPMD_FINITE(d)) { \
            a = C##_bounded(a, HPSPMD_INFINITE(a)); \
            b = C##_bounded(b, HPSPMD_INFINITE(b)); \
            return MADE(C, much * (a * c + b * d), much * (b * c - a * d)); \
        } \
        if ((HPSPMD_INFINITE(c) || HPSPMD_INFINITE(d)) && isFinite) { \
            c = C##_bounded(c, HPSPMD_INFINITE(c)); \
            d = C##_bounded(d, HPSPMD_INFINITE(d)); \
            return MADE(C, 0 * (a * c + b * d), 0 * (b * c - a * d)); \
        } \
        return MADE(C, x, y); \
    } \
    HPSPMD_FUNCTION C C##_realOver(T r, C w) { return C##_over(MADE(C, r, 0), w); }
#define HPSPMD_OVER_FLOAT \
    const double far = a, fai = b, fcr = c, fci = d, square = fcr * fcr + fci * fci; \
    x = (float)((far * fcr + fai * fci) / square); \
    y = (float)((fai * fcr - far * fci) / square);
#define HPSPMD_OVER_DOUBLE \
    const double tiny = 2.220446049250313e-16, least = 2.2250738585072014e-308; \
    const double largest = 8.98846567431157854e307, few = largest * tiny; \
    const int isSwapped = fabs(c) < fabs(d); \
    if ((isSwapped ? fabs(d) : fabs(c)) >= largest) { \
        a = a / 2; \
        b = b / 2; \
        c = c / 2; \
        d = d / 2; \
    } \
    const double most = isSwapped ? fabs(d) : fabs(c); \
    if (most < tiny || (fabs(a) < least && fabs(b) < few && most < few) || \
        (fabs(b) < least && fabs(a) < few && most < few)) { \
        a = a * (1 / tiny); \
        b = b * (1 / tiny); \
        c = c * (1 / tiny); \
        d = d * (1 / tiny); \
    } \
    const double ratio = isSwapped ? c / d : d / c; \
    const double whole = isSwapped ? c * ratio + d : d * ratio + c; \
    const int isPlain = fabs(ratio) > least; \
    if (isSwapped) { \
        x = ((isPlain ? a * ratio : c * (a / d)) + b) / whole; \
        y = ((isPlain ? b * ratio : c * (b / d)) - a) / whole; \
    } else { \
        x = (a + (isPlain ? b * ratio : d * (b / c))) / whole; \
        y = (b - (isPlain ? a * ratio : d * (a / c))) / whole; \
    }
#define HPSPMD_FINITE(a) ((a) - (a) == (a) - (a))
#define HPSPMD_INFINITE(a) ((a) == (a) && (a) - (a) != (a) - (a))
#define HPSPMD_SIZE(d) ((d) == 0 ? HPSPMD_WIDTH : (d) == 1 ? HPSPMD_HEIGHT : HPSPMD_DEPTH)
#ifdef HPSPMD_ONCE
#define HPSPMD_NEXT(i, end, d, s) (end) + 1
#else
#define HPSPMD_NEXT(i, end, d, s) i + (s) * (Index)HPSPMD_GROUPS(d) * HPSPMD_SIZE(d)
#endif
#define HPSPMD_ALONG(i, begin, end, d, s) \
    for (Index i = (begin) + (s) * ((Index)HPSPMD_GROUP_ID(d) * HPSPMD_SIZE(d) + \
                                    (Index)HPSPMD_LANE_ID(d)); \
         i <= (end); i = HPSPMD_NEXT(i, end, d, s))
#define COLUMNS(j, run, s) HPSPMD_ALONG(j, run.first, run.last, 0, s)
#define MIDDLE(j, run, s) HPSPMD_ALONG(j, run.first, run.last, 1, s)
#define EVERY_ROW_OF(i, run, d, s) HPSPMD_ALONG(i, run.first, run.last, d, s)
#define ROWS_OF(i, run, d) HPSPMD_ALONG(i##_first, run.first, run.last, d, HPSPMD_ROWS) \
    for (Index i##_count = smaller((Index)HPSPMD_ROWS, run.last - i##_first + 1); i##_count > 0; \
         i##_count = 0)
#define EACH_ROW(r, i) HPSPMD_UNROLLED for (int r = 0; r < HPSPMD_ROWS; ++r) if (r < i##_count)
#define HPSPMD_LANES (HPSPMD_WIDTH * HPSPMD_HEIGHT * HPSPMD_DEPTH)
#define HPSPMD_LANE \
    (HPSPMD_LANE_ID(0) + HPSPMD_WIDTH * (HPSPMD_LANE_ID(1) + HPSPMD_HEIGHT * HPSPMD_LANE_ID(2)))
#define HPSPMD_GROUP \
    (HPSPMD_GROUP_ID(0) + \
     HPSPMD_GROUPS(0) * (HPSPMD_GROUP_ID(1) + HPSPMD_GROUPS(1) * HPSPMD_GROUP_ID(2)))
#define HPSPMD_ADDED(a, b) ((a) + (b))
#define HPSPMD_JOIN(T, x, join) \
    HPSPMD_LOCAL T x##_lanes[HPSPMD_LANES]; \
    x##_lanes[HPSPMD_LANE] = x; \
    HPSPMD_BARRIER; \
    for (int x##_half = HPSPMD_LANES / 2; x##_half > 0; x##_half >>= 1) { \
        if (HPSPMD_LANE < x##_half) \
            x##_lanes[HPSPMD_LANE] = \
                join(x##_lanes[HPSPMD_LANE], x##_lanes[HPSPMD_LANE + x##_half]); \
        HPSPMD_BARRIER; \
    } \
    if (HPSPMD_LANE == 0) x##_pieces[HPSPMD_GROUP] = x##_lanes[0];
#define JOINED(T, x) T x, HPSPMD_GLOBAL T* x##_pieces
#define JOIN_SUM(T, x) HPSPMD_JOIN(T, x, HPSPMD_ADDED)
#define JOIN_MAX(T, x) HPSPMD_JOIN(T, x, larger)
#define JOIN_MIN(T, x) HPSPMD_JOIN(T, x, smaller)
)--";

}  // namespace hpspmd::detail
