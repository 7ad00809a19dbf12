// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// IndexSet and ReadSet, which indices of one dimension a write changes and a read needs, as far as
/// that is known; the bytes of an element count as a dimension, too.

#include <hpspmd/triplet.hpp>

namespace hpspmd::detail {

/// first, first + step .. last: all of them are written, or some of them, nobody knows which.
struct IndexSet {
    Index first = IndexInterval::least, last = IndexInterval::most;
    Index step = 1;
    bool areAll = true;

    bool isEmpty() const { return last < first; }
    bool contains(const IndexInterval& other) const {
        return areAll && step == 1 && first <= other.first && other.last <= last;
    }
    friend bool operator==(const IndexSet& a, const IndexSet& b) {
        return a.first == b.first && a.last == b.last && a.step == b.step && a.areAll == b.areAll;
    }
};

IndexSet indicesDownwards(Bound l, Bound u, Index s, Index extent);

/// The locations of l : u : s in a dimension of so many.
inline IndexSet indicesOf(Bound l, Bound u, Index s, Index extent) {
    if (s > 0) return {l.given ? l.value : 0, u.given ? u.value : extent - 1, s, true};
    return indicesDownwards(l, u, s, extent);
}

/// Read are all of `sure`, and nothing outside of `outer`, but something of that.
struct ReadSet {
    IndexSet sure;
    IndexInterval outer;

    static ReadSet all(const IndexSet& indices) { return {indices, {indices.first, indices.last}}; }
    static ReadSet some(const IndexInterval& outer = {}) { return {{0, -1, 1, true}, outer}; }

    /// At all shifts between these two, if each index is read at both.
    ReadSet shifted(Index low, Index high) const;
    /// The same, but read is what the first of them leads to.
    ReadSet shiftedBy(Index distance, Index low, Index high) const;
    /// Those in an interval.
    ReadSet in(const IndexInterval& interval) const;
};

/// True if an index has been both written and read, for certain.
bool surelyMeet(const IndexSet& written, const ReadSet& read);

}  // namespace hpspmd::detail
