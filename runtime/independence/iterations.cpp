// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "independence/iterations.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

/// True if `part` holds `other`: it is the whole, the same, or `pos` where `other` is `pos.x`.
bool holds(const std::string& part, const std::string& other) {
    if (part.empty() || part == other) return true;
    return other.size() > part.size() && other.compare(0, part.size(), part) == 0 &&
           other[part.size()] == '.';
}

/// How many indices they have in common, of the same runs.
std::size_t commonLevels(const Iteration& a, const Iteration& b) {
    std::size_t k = 0;
    while (k < a.size() && k < b.size() && a[k].run == b[k].run && a[k].index == b[k].index) ++k;
    return k;
}

}  // namespace

bool areApart(const Iteration& a, const Iteration& b) {
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
        if (a[k].index == b[k].index) continue;
        if (a[k].run == b[k].run || (a[k].isDistributed && b[k].isDistributed)) return true;
        return false;
    }
    return false;
}

std::string describe(const Iteration& iteration) {
    std::string text;
    for (const Level& level : iteration)
        text += (text.empty() ? "" : ", ") + level.variable + " = " + std::to_string(level.index);
    return text;
}

bool overlap(const ElementPart& a, const ElementPart& b) {
    if (a.begin + a.size <= b.begin || b.begin + b.size <= a.begin) return false;
    if (a.begin == b.begin && a.size == b.size)
        return holds(a.part, b.part) || holds(b.part, a.part);
    return a.part.empty() && b.part.empty();
}

bool depend(const Access& a, const Access& b) {
    const bool isApart = a.part >= 0 ? a.part != b.part : areApart(a.iteration, b.iteration);
    return isApart && (a.writes || b.writes) && overlap(a.reached, b.reached);
}

/// A read is known if two others, of the same part, have other indices where their iterations begin
/// to differ from its own: a write that depends on it depends on one of them.
bool ElementAccesses::isKnown(const Access& access) const {
    std::vector<std::pair<std::size_t, Index>> others;  // where they begin to differ, and the index
    for (const Access& each : all_) {
        if (each.writes != access.writes || !(each.reached == access.reached)) continue;
        if (access.part >= 0) {
            if (each.part == access.part) return true;
            continue;
        }
        const std::size_t k = commonLevels(each.iteration, access.iteration);
        if (k == each.iteration.size() && k == access.iteration.size()) return true;
        if (access.writes || k >= each.iteration.size() || k >= access.iteration.size() ||
            each.iteration[k].run != access.iteration[k].run)
            continue;
        const std::pair<std::size_t, Index> other(k, each.iteration[k].index);
        const bool isSecond = std::any_of(others.begin(), others.end(), [&](const auto& first) {
            return first.first == other.first && first.second != other.second;
        });
        if (isSecond) return true;
        others.push_back(other);
    }
    return false;
}

const Access* ElementAccesses::add(Access access) {
    if (isKnown(access)) return nullptr;
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const Access& earlier) { return depend(earlier, access); });
    const auto place = found - all_.begin();
    const bool isFound = found != all_.end();
    all_.push_back(std::move(access));
    return isFound ? &all_[static_cast<std::size_t>(place)] : nullptr;
}

}  // namespace hpspmd::detail
