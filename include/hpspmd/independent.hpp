#pragma once
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
