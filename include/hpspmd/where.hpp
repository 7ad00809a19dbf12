// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Index, the type of every global index and extent, and Where, a place in the user's program.

#include <cstdint>

namespace hpspmd {

/// Global indices, extents and strides. 64 bits on every machine.
using Index = std::int64_t;

namespace detail {

/// File and line of a call. As the last default argument `Where where = Where::here()` it is filled
/// in where the call stands, so `#line` makes it the line of the .hpcpp file.
struct Where {
    const char* file = "";
    int line = 0;

    static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

/// An integer that remembers where it was written: the parameter type of operators, which have no
/// default arguments.
struct Position {
    Index value;
    Where where;

    constexpr Position(Index value, Where where = Where::here()) : value(value), where(where) {}
};

}  // namespace detail
}  // namespace hpspmd
