// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the second forms of functions tell an Independence (translator/lower/observer).

#include <hpspmd/independence.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// The nest that this thread runs, if it is one that is checked.
inline thread_local Independence* nestOfThread = nullptr;

/// The same, for functions that cannot be given it, destructors say; null in constant expressions.
constexpr Independence* checkedNest() {
    return __builtin_is_constant_evaluated() ? nullptr : nestOfThread;
}

/// True if an array has its elements there.
bool isInArray(const void* address);

/// The iteration of `nest` reads or writes what a reference, a pointer or a function of the program
/// names, which is perhaps an element, or inside of one.
template <class E>
std::conditional_t<std::is_lvalue_reference_v<E>, E, std::decay_t<E>> mayRead(
    Independence& nest, E&& object, const char* name, const char* part = "",
    Where where = Where::here()) {
    if (isInArray(std::addressof(object))) nest.read<E>(std::forward<E>(object), name, part, where);
    return std::forward<E>(object);
}
template <class E>
std::conditional_t<std::is_lvalue_reference_v<E>, E, std::decay_t<E>> mayWrite(
    Independence& nest, E&& object, const char* name, const char* part = "",
    Where where = Where::here()) {
    if (isInArray(std::addressof(object)))
        nest.write<E>(std::forward<E>(object), name, part, where);
    return std::forward<E>(object);
}

/// Tells, once for each nest, that these functions are not looked into.
void tellUnseen(const char* functions, Where where = Where::here());

}  // namespace hpspmd::detail
