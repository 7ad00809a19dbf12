// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain C++ that hpcc reads, but does not translate.
#pragma once
#include <cmath>
#include <vector>

#include "plain_headers/physics.hpp"

#define SQUARE(x) ((x) * (x))

/// Changes what it is given.
inline long following(long& k) { return ++k; }

#define NOTED ++asked
inline long asked = 0;
inline double noted(double v) {
    NOTED;
    return v;
}
inline double counted(double v) {
    ++asked;
    return v;
}

#ifdef NEVER_DEFINED
inline double clipped(double& v) { return v = v > 1 ? 1 : v; }
#else
inline double clipped(double v) { return v > 1 ? 1 : v; }
#endif

/// Overloads: one of them changes its argument.
inline double turned(const double& v) { return -v; }
inline double turned(double& v) { return v = -v; }

/// A class with the names of inquiries.
struct Queue {
    long taken = 0;
    long size() { return ++taken % 5; }
};

template <class T>
T blended(T a, T b) {
    return (a + 3 * b) / 4;
}
