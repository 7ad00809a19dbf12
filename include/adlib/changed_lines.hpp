// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which lines of a method's arrays have been changed since all processes had them.

#include <hpspmd/where.hpp>

#include <limits>
#include <vector>

namespace hpspmd::detail {

/// Locations of a divided dimension, first .. last.
struct Lines {
    Index first = 0, last = -1;

    static Lines of(Index first, Index last) { return {first, last}; }
    static Lines all() { return {0, std::numeric_limits<Index>::max() - 1}; }
    bool contain(Index line) const { return first <= line && line <= last; }
    Index count() const { return last < first ? 0 : last - first + 1; }
};

/// They are told one by one.
inline bool areFew(const Lines& lines) { return lines.count() <= 4; }

/// The same in all processes. Of each array one interval is kept, so that lines may count as
/// changed that are not. Example, a factorization: a loop changes 3 .. 9, all processes are told
/// line 3, the next loop changes 4 .. 9: then 4 .. 9 have been changed.
class ChangedLines {
public:
    void add(const void* elements, Lines lines);
    void remove(const void* elements, Index line);
    void forget(const void* elements);
    Lines of(const void* elements) const;

private:
    struct Array {
        const void* elements;
        Lines changed;
    };
    std::vector<Array> arrays_;
};

}  // namespace hpspmd::detail
