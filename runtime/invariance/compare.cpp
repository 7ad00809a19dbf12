// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/compare.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "invariance/values.hpp"

namespace hpspmd::invariance {
namespace {

void addOnce(std::vector<Site>& sites, const Site& site) {
    if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
}

void noteUneven(Comparison& comparison, const Witness& a, const Witness& b, const Site& site) {
    if (a.executions(site) != b.executions(site)) addOnce(comparison.uneven, site);
}

bool isNumber(const std::string& word, double& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

/// Equal but for numbers that are near.
bool areAlike(const std::string& first, const std::string& second, double tolerance) {
    if (first == second || tolerance == 0) return first == second;
    std::istringstream mine(first), others(second);
    std::string a, b;
    for (;;) {
        const bool more = static_cast<bool>(mine >> a);
        if (more != static_cast<bool>(others >> b)) return false;
        if (!more) return true;
        double x = 0, y = 0;
        if (a != b && !(isNumber(a, x) && isNumber(b, y) && areNear(x, y, tolerance))) return false;
    }
}

}  // namespace

Comparison compare(const Witness& reference, const Witness& other, double tolerance) {
    Comparison comparison;
    for (const Event& event : reference.events()) {
        noteUneven(comparison, reference, other, event.site);
        const Told *const mine = reference.told(event), *const others = other.told(event);
        if (others == nullptr) continue;
        if (mine->extents != others->extents || mine->bytes != others->bytes) {
            addOnce(comparison.reshaped, event.site);
            continue;
        }
        const bool isCoherent = others->isCoherent(tolerance);
        if (isCoherent && mine->isLike(*others, tolerance)) continue;
        comparison.first = event;
        comparison.isIncoherent = !isCoherent;
        return comparison;
    }
    for (const Event& event : other.events()) noteUneven(comparison, reference, other, event.site);
    return comparison;
}

LineDifference compareFiles(const std::string& first, const std::string& second, double tolerance) {
    std::ifstream a(first), b(second);
    LineDifference difference;
    for (int line = 1;; ++line) {
        difference = {line, "", ""};
        const bool more = static_cast<bool>(std::getline(a, difference.first));
        const bool others = static_cast<bool>(std::getline(b, difference.second));
        if (!more && !others) return {};
        if (more != others || !areAlike(difference.first, difference.second, tolerance))
            return difference;
    }
}

}  // namespace hpspmd::invariance
