// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/written_parts.hpp>

namespace hpspmd::detail {
namespace {

CellsOfSides all(Index cells) {
    CellsOfSides result;
    result.fill(cells);
    return result;
}

}  // namespace

void WrittenParts::write(Time time, const IndexBox& box) {
    const auto same = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& part) { return part.box == box; });
    if (same == parts_.end()) {
        parts_.push_back({time, box, all(0), all(IndexInterval::most)});
        return;
    }
    if (same->time == time) return;
    same->time = time;
    same->before = same->filled;
    same->filled = all(0);
    std::rotate(same, same + 1, parts_.end());
}

void WrittenParts::fill(int r, Index low, Index high, const CellsOfSides& reaches) {
    const auto below = static_cast<std::size_t>(2 * r);
    bool areAll = false;
    for (Part& part : parts_) {
        for (CellsOfSides* const each : {&part.filled, &part.before}) {
            (*each)[below] = std::max((*each)[below], low);
            (*each)[below + 1] = std::max((*each)[below + 1], high);
        }
        areAll |= r == part.box.rank - 1;
    }
    if (!areAll) return;
    const auto isFilled = [&](const Part& part) {
        return std::equal(reaches.begin(), reaches.end(), part.filled.begin(),
                          [](Index reach, Index filled) { return filled >= reach; });
    };
    parts_.erase(std::remove_if(parts_.begin(), parts_.end(), isFilled), parts_.end());
}

Index WrittenParts::freshCells(std::size_t side, Time nest) const {
    Index fresh = IndexInterval::most;
    for (const Part& part : parts_) fresh = std::min(fresh, part.filledCells(nest)[side]);
    return fresh;
}

CellsOfSides WrittenParts::forgetFirst() {
    const CellsOfSides filled = parts_.front().filled;
    parts_.erase(parts_.begin());
    return filled;
}

void WrittenParts::forgetBefore(Time time) {
    const auto isOld = [&](const Part& part) { return part.time < time; };
    parts_.erase(std::remove_if(parts_.begin(), parts_.end(), isOld), parts_.end());
}

bool WrittenParts::meets(const IndexBox& a, const IndexBox& b) {
    for (int r = 0; r < a.rank; ++r)
        if (std::max(a[r].first, b[r].first) > std::min(a[r].last, b[r].last)) return false;
    return true;
}

}  // namespace hpspmd::detail
