// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a grammar symbol stands, as token indices; an empty one stands nowhere.
#pragma once

#include <ostream>

namespace hpcc::syntax {

struct Location {
    int first = -1;
    int last = -1;
};

inline std::ostream& operator<<(std::ostream& out, const Location& location) {
    return out << location.first << '-' << location.last;
}

}  // namespace hpcc::syntax
