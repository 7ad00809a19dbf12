// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Location: where x[n] lies.

#include <hpspmd/range.hpp>

namespace hpspmd {

/// Location `global` of a range: held by the processes with coordinate crd in dim, in local slot
/// sub.
struct Location {
    Dimension dim;
    int crd = 0;
    Index sub = 0;
    Index global = 0;

    bool held() const { return dim.crd() == crd; }
};

inline Location BorrowedRange::operator[](detail::Position n) const {
    return location(n.value, n.where);
}

}  // namespace hpspmd
