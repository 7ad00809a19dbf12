// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/elements.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "invariance/values.hpp"

namespace hpspmd::invariance {
namespace {

double relativeDifference(double a, double b) {
    if (a == b) return 0;
    const double largest = std::max(std::abs(a), std::abs(b));
    return std::isfinite(largest) ? std::abs(a - b) / largest : INFINITY;
}

bool areNear(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](double x, double y) { return invariance::areNear(x, y, tolerance); });
}

std::vector<std::int64_t> subscriptsOf(std::int64_t place,
                                       const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> subscripts(extents.size());
    for (size_t r = extents.size(); r-- > 0; place /= extents[r])
        subscripts[r] = place % extents[r];
    return subscripts;
}

/// True if a neighbour in some dimension lies on another process.
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

ElementDifference compareElements(const Elements& first, const Elements& second, const Told& told,
                                  double tolerance) {
    ElementDifference difference;
    std::int64_t earliest = -1;
    for (const auto& [place, element] : second.at) {
        ++difference.all;
        const auto other = first.at.find(place);
        if (other == first.at.end() || other->second.bytes == element.bytes) continue;
        const std::vector<double> mine = numbersOf(other->second.bytes, told.kind);
        const std::vector<double> others = numbersOf(element.bytes, told.kind);
        if (tolerance > 0 && !mine.empty() && areNear(mine, others, tolerance)) continue;
        ++difference.differing;
        if (isAtEdge(second, place, told.extents)) ++difference.atEdges;
        if (told.kind == 'f')
            difference.largest =
                std::max(difference.largest, relativeDifference(others[0], mine[0]));
        if (earliest < 0 || place < earliest) earliest = place;
    }
    if (earliest < 0) return difference;
    difference.subscripts = subscriptsOf(earliest, told.extents);
    difference.first = valueText(first.at.at(earliest).bytes, told.kind);
    difference.second = valueText(second.at.at(earliest).bytes, told.kind);
    difference.process = second.at.at(earliest).process;
    return difference;
}

}  // namespace hpspmd::invariance
