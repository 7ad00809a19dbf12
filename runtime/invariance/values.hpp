// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The values of elements and results, of which a witness has the bytes.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace hpspmd::invariance {

/// Of pairs of hexadecimal digits.
std::string bytesOf(const std::string& digits);

template <class T>
T as(const std::string& bytes, size_t at = 0) {
    T value{};
    std::memcpy(&value, bytes.data() + at, std::min(sizeof value, bytes.size() - at));
    return value;
}

/// A floating-point number, or the two of a complex one; none of another kind.
std::vector<double> numbersOf(const std::string& bytes, char kind);

/// |a - b| is at most tolerance * max(1, |a|, |b|).
bool areNear(double a, double b, double tolerance);

/// The value as text.
std::string valueText(const std::string& bytes, char kind);

}  // namespace hpspmd::invariance
