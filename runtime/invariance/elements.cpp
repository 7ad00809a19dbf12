// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace hpspmd::invariance {
namespace {

template <class T>
T as(const std::string& bytes, size_t at = 0) {
    T value{};
    std::memcpy(&value, bytes.data() + at, std::min(sizeof value, bytes.size() - at));
    return value;
}

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

double number(const std::string& bytes) {
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

double relativeDifference(double a, double b) {
    if (a == b) return 0;
    const double largest = std::max(std::abs(a), std::abs(b));
    return std::isfinite(largest) ? std::abs(a - b) / largest : INFINITY;
}

std::vector<std::int64_t> subscriptsOf(std::int64_t place,
                                       const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> subscripts(extents.size());
    for (size_t r = extents.size(); r-- > 0; place /= extents[r])
        subscripts[r] = place % extents[r];
    return subscripts;
}

/// Does a neighbour in some dimension lie on another process?
bool isAtEdge(const Elements& elements, std::int64_t place,
              const std::vector<std::int64_t>& extents) {
    const int own = elements.at.at(place).process;
    const std::vector<std::int64_t> subscripts = subscriptsOf(place, extents);
    std::int64_t step = 1;
    for (size_t r = extents.size(); r-- > 0; step *= extents[r])
        for (const int direction : {-1, 1}) {
            const std::int64_t next = subscripts[r] + direction;
            if (next < 0 || next >= extents[r]) continue;
            const auto found = elements.at.find(place + direction * step);
            if (found != elements.at.end() && found->second.process != own) return true;
        }
    return false;
}

}  // namespace

std::string valueText(const std::string& bytes, const Told& told) {
    switch (told.kind) {
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
        return integerText(bytes, told.kind == 'i');
    default:
        break;
    }
    std::ostringstream text;
    text << "bytes" << std::hex;
    for (const char byte : bytes) text << ' ' << static_cast<int>(static_cast<unsigned char>(byte));
    return text.str();
}

Elements Elements::read(const std::string& path, int processes, unsigned bytes) {
    Elements elements;
    for (int process = 0; process < processes; ++process) {
        std::ifstream file(path + "." + std::to_string(process) + ".elements", std::ios::binary);
        std::int64_t place = 0;
        std::string value(bytes, '\0');
        while (file.read(reinterpret_cast<char*>(&place), sizeof place) &&
               file.read(value.data(), static_cast<std::streamsize>(bytes)))
            elements.at[place] = {value, process};
    }
    return elements;
}

ElementDifference compareElements(const Elements& first, const Elements& second, const Told& told) {
    ElementDifference difference;
    std::int64_t earliest = -1;
    for (const auto& [place, element] : second.at) {
        ++difference.all;
        const auto other = first.at.find(place);
        if (other == first.at.end() || other->second.bytes == element.bytes) continue;
        ++difference.differing;
        if (isAtEdge(second, place, told.extents)) ++difference.atEdges;
        if (told.kind == 'f')
            difference.largest =
                std::max(difference.largest,
                         relativeDifference(number(element.bytes), number(other->second.bytes)));
        if (earliest < 0 || place < earliest) earliest = place;
    }
    if (earliest < 0) return difference;
    difference.subscripts = subscriptsOf(earliest, told.extents);
    difference.first = valueText(first.at.at(earliest).bytes, told);
    difference.second = valueText(second.at.at(earliest).bytes, told);
    difference.process = second.at.at(earliest).process;
    return difference;
}

}  // namespace hpspmd::invariance
