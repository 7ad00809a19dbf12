#pragma once
/// Arrays of integers of any type as arguments: amounts of shifts, subscripts.

#include <adlib/operand.hpp>

namespace hpspmd::detail {

/// An array argument whose elements are read as integers.
struct Integers {
    Operand array;
    Index (*read)(const void* data, Index offset);

    Index at(Index offset) const { return read(array.data, offset); }
};

template <class T, class... Slots>
Integers integers(const char* role, const Array<T, Slots...>& array, Where where) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<std::remove_const_t<T>, bool>,
                  "shift amounts and subscripts are arrays of integers");
    return {operand(role, array, where), [](const void* data, Index offset) {
                return static_cast<Index>(static_cast<const T*>(data)[offset]);
            }};
}

}  // namespace hpspmd::detail
