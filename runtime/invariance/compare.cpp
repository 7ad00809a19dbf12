// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/compare.hpp"

#include <algorithm>
#include <fstream>

namespace hpspmd::invariance {
namespace {

void addOnce(std::vector<Site>& sites, const Site& site) {
    if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
}

void noteUneven(Comparison& comparison, const Witness& a, const Witness& b, const Site& site) {
    if (a.executions(site) != b.executions(site)) addOnce(comparison.uneven, site);
}

}  // namespace

Comparison compare(const Witness& reference, const Witness& other) {
    Comparison comparison;
    for (const Event& event : reference.events()) {
        noteUneven(comparison, reference, other, event.site);
        const Told *const mine = reference.told(event), *const others = other.told(event);
        if (others == nullptr) continue;
        if (mine->extents != others->extents || mine->bytes != others->bytes) {
            addOnce(comparison.reshaped, event.site);
            continue;
        }
        const bool isSame =
            others->isCoherent() && mine->parts.begin()->second == others->parts.begin()->second;
        if (isSame) continue;
        comparison.first = event;
        comparison.isIncoherent = !others->isCoherent();
        return comparison;
    }
    for (const Event& event : other.events()) noteUneven(comparison, reference, other, event.site);
    return comparison;
}

LineDifference compareFiles(const std::string& first, const std::string& second) {
    std::ifstream a(first), b(second);
    LineDifference difference;
    for (int line = 1;; ++line) {
        difference = {line, "", ""};
        const bool more = static_cast<bool>(std::getline(a, difference.first));
        const bool others = static_cast<bool>(std::getline(b, difference.second));
        if (!more && !others) return {};
        if (more != others || difference.first != difference.second) return difference;
    }
}

}  // namespace hpspmd::invariance
