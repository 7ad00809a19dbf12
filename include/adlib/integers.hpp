// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays of integers of any type as arguments: amounts of shifts, subscripts.

#include <adlib/operand.hpp>
#include <limits>

namespace hpspmd::detail {

/// AdlibError: an element of the array called `role` is larger than any Index.
[[noreturn]] void raiseTooLarge(const char* role, unsigned long long value, Where where);

/// An array argument whose elements are read as integers.
struct Integers {
    Operand array;
    Index (*read)(const Integers& integers, Index offset);
    Where where;

    Index at(Index offset) const { return read(*this, offset); }
};

template <class T, class... Slots>
Integers integers(const char* role, const Array<T, Slots...>& array, Where where) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<std::remove_const_t<T>, bool>,
                  "shift amounts and subscripts are arrays of integers");
    const auto read = [](const Integers& integers, Index offset) {
        const T value = static_cast<const T*>(integers.array.data)[offset];
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(Index))
            if (value > static_cast<T>(std::numeric_limits<Index>::max()))
                raiseTooLarge(integers.array.role, value, integers.where);
        return static_cast<Index>(value);
    };
    return {readOperand(role, array, where), read, where};
}

}  // namespace hpspmd::detail
