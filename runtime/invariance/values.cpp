// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace hpspmd::invariance {
namespace {

/// The shortest text that reads back as the same number.
template <class T>
std::string numberText(T value) {
    std::ostringstream text;
    for (int digits = 6; digits <= 21; ++digits) {
        text.str("");
        text.precision(digits);
        text << value;
        T back{};
        if (!(std::istringstream(text.str()) >> back) || back == value) break;
    }
    return text.str();
}

double realNumber(const std::string& bytes) {
    if (bytes.size() == sizeof(float)) return static_cast<double>(as<float>(bytes));
    if (bytes.size() == sizeof(double)) return as<double>(bytes);
    return static_cast<double>(as<long double>(bytes));
}

std::string integerText(const std::string& bytes, bool isSigned) {
    std::uint64_t bits = as<std::uint64_t>(bytes);
    if (!isSigned) return std::to_string(bits);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes.size());
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

std::string bytesOf(const std::string& digits) {
    std::string bytes;
    for (size_t k = 0; k + 1 < digits.size(); k += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
    return bytes;
}

std::vector<double> numbersOf(const std::string& bytes, char kind) {
    if (kind == 'f') return {realNumber(bytes)};
    if (kind != 'c') return {};
    const size_t half = bytes.size() / 2;
    return {realNumber(bytes.substr(0, half)), realNumber(bytes.substr(half))};
}

bool areNear(double a, double b, double tolerance) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return true;
    return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)}) &&
           std::isfinite(a) && std::isfinite(b);
}

std::string valueText(const std::string& bytes, char kind) {
    switch (kind) {
    case 'f':
        if (bytes.size() == sizeof(float)) return numberText(as<float>(bytes));
        if (bytes.size() == sizeof(double)) return numberText(as<double>(bytes));
        return numberText(as<long double>(bytes));
    case 'c':
        if (bytes.size() == 2 * sizeof(float))
            return "(" + numberText(as<float>(bytes)) + ", " +
                   numberText(as<float>(bytes, sizeof(float))) + ")";
        return "(" + numberText(as<double>(bytes)) + ", " +
               numberText(as<double>(bytes, sizeof(double))) + ")";
    case 'b':
        return as<bool>(bytes) ? "true" : "false";
    case 'i':
    case 'u':
        return integerText(bytes, kind == 'i');
    default:
        break;
    }
    std::ostringstream text;
    text << "bytes" << std::hex;
    for (const char byte : bytes) text << ' ' << static_cast<int>(static_cast<unsigned char>(byte));
    return text.str();
}

}  // namespace hpspmd::invariance
