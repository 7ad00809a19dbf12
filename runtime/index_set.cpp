// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/index_set.hpp>

#include <algorithm>

namespace hpspmd::detail {
namespace {

/// True if two progressions have an index in common. Ends without number are those of step 1 only.
bool meet(const IndexSet& a, const IndexSet& b) {
    const Index first = std::max(a.first, b.first), last = std::min(a.last, b.last);
    if (a.step == 1 && b.step == 1) return first <= last;
    const IndexSet &wide = a.step > b.step ? a : b, &narrow = a.step > b.step ? b : a;
    const Index behind = first - wide.first;  // not below 0
    Index next = wide.first + (behind + wide.step - 1) / wide.step * wide.step;
    for (Index k = 0; k < narrow.step && next <= last; ++k, next += wide.step)
        if (narrow.step == 1 || (next - narrow.first) % narrow.step == 0) return true;
    return false;
}

}  // namespace

IndexSet indicesDownwards(Bound l, Bound u, Index s, Index extent) {
    const Index low = u.given ? u.value : 0, high = l.given ? l.value : extent - 1;
    if (s == 0 || high < low) return {low, s == 0 ? high : low - 1, 1, true};
    return {high - (high - low) / -s * -s, high, -s, true};
}

ReadSet ReadSet::shifted(Index low, Index high) const {
    if (low == high) return shiftedBy(low, low, high);
    ReadSet result = some({outer.first + low, outer.last + high});
    if (sure.step == 1) result.sure = {sure.first + high, sure.last + low, 1, true};
    return result;
}

ReadSet ReadSet::shiftedBy(Index distance, Index low, Index high) const {
    return {{sure.first + distance, sure.last + distance, sure.step, true},
            {outer.first + low, outer.last + high}};
}

ReadSet ReadSet::in(const IndexInterval& interval) const {
    ReadSet result{sure,
                   {std::max(outer.first, interval.first), std::min(outer.last, interval.last)}};
    if (const Index below = interval.first - sure.first; below > 0)
        result.sure.first += (below + sure.step - 1) / sure.step * sure.step;
    result.sure.last = std::min(sure.last, interval.last);
    return result;
}

bool surelyMeet(const IndexSet& written, const ReadSet& read) {
    const bool isNothing = written.isEmpty() || read.outer.last < read.outer.first;
    if (isNothing) return false;
    if (!written.areAll) return read.sure.contains({written.first, written.last});
    return (!read.sure.isEmpty() && meet(written, read.sure)) || written.contains(read.outer);
}

}  // namespace hpspmd::detail
