#pragma once
/// Combining, what becomes of the elements of a destination when others arrive for them.

#include <adlib/operators.hpp>
#include <cstring>
#include <hpspmd/where.hpp>
#include <type_traits>

namespace hpspmd::detail {

/// They are replaced, or combined with what arrives.
struct Combining {
    /// element = op(element, value) for `count` elements at a step (in elements) and as many values
    /// one after the other, which may lie at any address. Null: element = value.
    void (*row)(const void* op, void* elements, Index step, const void* values,
                Index count) = nullptr;
    const void* op = nullptr;

    explicit operator bool() const { return row != nullptr; }
};

/// A value that lies anywhere.
template <class T>
T loaded(const char* at) {
    T value;
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return value;
}

template <class T, class Op>
void combineRow(const void* op, void* elements, Index step, const void* values, Index count) {
    const Op& combine = *static_cast<const Op*>(op);
    T* __restrict to = static_cast<T*>(elements);
    const char* __restrict from = static_cast<const char*>(values);
    constexpr auto size = static_cast<Index>(sizeof(T));
    if (step == 1)
        for (Index t = 0; t < count; ++t) to[t] = combine(to[t], loaded<T>(from + t * size));
    else
        for (Index t = 0; t < count; ++t)
            to[t * step] = combine(to[t * step], loaded<T>(from + t * size));
}

/// By op, which must live until the destination is complete.
template <class T, class Op>
Combining combiningBy(const Op& op) {
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of a combining collective takes two elements and gives one");
    return {combineRow<T, Op>, &op};
}

}  // namespace hpspmd::detail
