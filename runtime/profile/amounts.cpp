// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/amounts.hpp"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hpspmd::profile {

std::string duration(double seconds) {
    if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string amount(double bytes) {
    constexpr std::array units = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string count(double number) {
    std::string digits = fmt::format("{:.0f}", number);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string plural(double number, const std::string& one) {
    return count(number) + " " + one + (count(number) == "1" ? "" : "s");
}

std::string contentOf(const std::string& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad() || (text.empty() && errno != 0))
        throw std::runtime_error("cannot read '" + file + "': " + std::strerror(errno));
    return text;
}

}  // namespace hpspmd::profile
