// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/written_parts.hpp>

namespace hpspmd::detail {
namespace {

CellsOfSides all(Index cells) {
    CellsOfSides result;
    result.fill(cells);
    return result;
}

/// Becomes the union of both, if that is a set again.
bool unite(IndexSet& set, const IndexSet& other) {
    const bool isPlain = set.areAll && other.areAll && set.step == 1 && other.step == 1;
    if (!isPlain || set.last + 1 < other.first || other.last + 1 < set.first) return false;
    set.first = std::min(set.first, other.first);
    set.last = std::max(set.last, other.last);
    return true;
}

bool unite(IndexBox& box, const IndexBox& other) {
    IndexSet* differing = box.bytes == other.bytes ? nullptr : &box.bytes;
    const IndexSet* its = &other.bytes;
    for (int r = 0; r < box.rank; ++r) {
        if (box[r] == other[r]) continue;
        if (differing != nullptr) return false;
        differing = &box[r];
        its = &other[r];
    }
    return differing == nullptr || unite(*differing, *its);
}

bool isSame(const IndexBox& a, const IndexBox& b) { return a.sets == b.sets && a.bytes == b.bytes; }

}  // namespace

CellsOfSides WrittenParts::write(Time time, const IndexBox& box) {
    const auto same = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& part) { return isSame(part.box, box); });
    if (same != parts_.end()) {
        if (same->time == time) return all(IndexInterval::most);
        same->time = time;
        same->before = same->filled;
        same->filled = all(0);
        std::rotate(same, same + 1, parts_.end());
        return all(IndexInterval::most);
    }
    CellsOfSides forgotten = all(IndexInterval::most);
    if (parts_.size() == most && !joinTwo(time)) {
        forgotten = parts_.front().filled;
        parts_.erase(parts_.begin());
    }
    parts_.push_back({time, box, all(0), all(IndexInterval::most)});
    return forgotten;
}

/// Two that have been filled alike become one.
bool WrittenParts::joinTwo(Time now) {
    for (auto part = parts_.begin(); part != parts_.end(); ++part)
        for (auto other = part + 1; other != parts_.end(); ++other)
            if (other->joins(*part, now)) {
                parts_.erase(part);
                return true;
            }
    return false;
}

bool WrittenParts::Part::joins(const Part& other, Time now) {
    const bool isOver = time != now && other.time != now;
    const bool areAlike = time == other.time && before == other.before;
    if (!(isOver || areAlike) || filled != other.filled || !unite(box, other.box)) return false;
    time = std::max(time, other.time);
    return true;
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

void WrittenParts::forgetBefore(Time time) {
    const auto isOld = [&](const Part& part) { return part.time < time; };
    parts_.erase(std::remove_if(parts_.begin(), parts_.end(), isOld), parts_.end());
}

bool WrittenParts::areStale(const IndexBox& written, const ReadBox& read) {
    for (int r = 0; r < written.rank; ++r)
        if (!surelyMeet(written[r], read[r])) return false;
    return surelyMeet(written.bytes, read.bytes);
}

}  // namespace hpspmd::detail
