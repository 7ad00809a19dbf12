// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "../plain_headers.hpp"

namespace physics {

constexpr double gravity = 9.81;
inline double half(double v) { return v / 2; }
inline double energy(double mass, double v) { return mass * half(v * v) + gravity; }

struct Gas {
    double gamma = 1.4;
    double pressure(double density, double inner) const { return (gamma - 1) * density * inner; }
};

namespace {
int shared = 3;
}
inline int ofUnnamed() { return shared; }

}  // namespace physics
