// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// bytesOf, where in the elements of an array a member lies.

#include <hpspmd/index_set.hpp>

#include <memory>
#include <type_traits>

namespace hpspmd::detail {

inline const ReadSet everyByte = ReadSet::all({});

/// Room for an element that is never made.
template <class T>
union Unmade {
    char none;
    T element;
    Unmade() : none() {}
    ~Unmade() {}
};

/// The bytes from one member to another of elements of type T, which functions from an element to
/// their addresses give. Some bytes, if there are no such addresses in an element: of bit-fields,
/// references, static members.
///
///     struct S { double u[3], v; };
///     bytesOf<S>([](auto& s) -> decltype(&s.u[1]) { return &s.u[1]; }, ..)     8 .. 15
template <class T, class First, class Last>
IndexSet bytesOf(const First& first, const Last& last) {
    IndexSet none;
    none.areAll = false;
    if constexpr (std::is_invocable_v<First, T&> && std::is_invocable_v<Last, T&>) {
        using From = std::invoke_result_t<First, T&>;
        using To = std::invoke_result_t<Last, T&>;
        if constexpr (std::is_pointer_v<From> && std::is_pointer_v<To>) {
            static Unmade<T> place;
            const auto offset = [](const volatile void* member) {
                return static_cast<Index>(static_cast<const volatile char*>(member) - &place.none);
            };
            const Index begin = offset(first(place.element));
            const Index end =
                offset(last(place.element)) + static_cast<Index>(sizeof(std::remove_pointer_t<To>));
            if (begin < 0 || end > static_cast<Index>(sizeof(T))) return none;
            if (begin == 0 && end == static_cast<Index>(sizeof(T))) return {};
            return {begin, end - 1, 1, true};
        }
    }
    return none;
}

/// Of the elements of an array.
template <class A, class First, class Last>
IndexSet bytes(const A&, const First& first, const Last& last) {
    return bytesOf<std::remove_const_t<typename A::Element>>(first, last);
}
template <class A, class Member>
IndexSet bytes(const A& a, const Member& member) {
    return bytes(a, member, member);
}

}  // namespace hpspmd::detail
