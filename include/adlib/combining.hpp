// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Combining, what becomes of the elements of a destination when others arrive for them.

#include <adlib/operators.hpp>
#include <cstring>
#include <functional>
#include <hpspmd/where.hpp>
#include <type_traits>

namespace hpspmd::detail {

/// `rows` x `columns` elements and the values that arrive for them, which may lie at any address;
/// steps from row to row and from column to column, in elements.
struct Arrived {
    void* elements;
    const void* values;
    Index rows, columns;
    Index row, column;
    Index valueRow, valueColumn;
};

/// How kernels combine: numbers of a type that they know, by one of C's operators.
struct DeviceCombining {
    const char* type;
    char sign;  ///< '+' or '*'; 0: they do not
};

/// They are replaced, or combined with what arrives.
struct Combining {
    /// element = op(element, value). Null: element = value.
    void (*combine)(const void* op, const Arrived& arrived) = nullptr;
    const void* op = nullptr;
    DeviceCombining onDevice = {};

    explicit operator bool() const { return combine != nullptr; }
    void operator()(const Arrived& arrived) const { combine(op, arrived); }
};

/// A value that lies anywhere.
template <class T>
T loaded(const char* at) {
    T value;
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return value;
}

template <class T, class Op>
void combineRow(const Op& op, T* __restrict to, Index step, const char* __restrict from,
                Index valueStep, Index count) {
    constexpr auto size = static_cast<Index>(sizeof(T));
    for (Index t = 0; t < count; ++t)
        to[t * step] = op(to[t * step], loaded<T>(from + t * valueStep * size));
}

/// What the compiler knows of the usual steps makes rows vectors, and squares of a transposition
/// code without loops.
template <class T, class Op>
void combineRows(const void* op, const Arrived& arrived) {
    const Op& by = *static_cast<const Op*>(op);
    T* to = static_cast<T*>(arrived.elements);
    const char* from = static_cast<const char*>(arrived.values);
    constexpr auto size = static_cast<Index>(sizeof(T));
    const Index rows = arrived.rows, columns = arrived.columns;
    if (rows == 8 && columns == 8 && arrived.column == 1 && arrived.valueRow == 1)
        for (Index i = 0; i < 8; ++i)
            combineRow(by, to + i * arrived.row, 1, from + i * size, arrived.valueColumn, 8);
    else
        for (Index i = 0; i < rows; ++i, to += arrived.row, from += arrived.valueRow * size)
            if (arrived.column == 1 && arrived.valueColumn == 1)
                combineRow(by, to, 1, from, 1, columns);
            else
                combineRow(by, to, arrived.column, from, arrived.valueColumn, columns);
}

template <class T, class Op>
constexpr DeviceCombining deviceCombining() {
    constexpr bool isSum = std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>>;
    constexpr bool isProduct =
        std::is_same_v<Op, std::multiplies<>> || std::is_same_v<Op, std::multiplies<T>>;
    if constexpr (typeOnDevice<Plus, T>() != nullptr && (isSum || isProduct))
        return {typeOnDevice<Plus, T>(), isSum ? '+' : '*'};
    return {};
}

/// By op, which must live until the destination is complete.
template <class T, class Op>
Combining combiningBy(const Op& op) {
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of a combining collective takes two elements and gives one");
    return {combineRows<T, Op>, &op, deviceCombining<T, Op>()};
}

}  // namespace hpspmd::detail
