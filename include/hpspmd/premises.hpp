// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the fast form of a nest (hpcc -O3) asks of the numbers, arrays and classes that it names.

#include <hpspmd/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// Stands for a number behind a null pointer, or of a container that has none: the first access to
/// it is a fault, as in the nest that the program writes.
inline std::uintptr_t noAddress() {
    static const volatile std::uintptr_t address = 64;  // aligned, and nobody's memory
    return address;
}
template <class Reference>
Reference noNumber() {
    return *reinterpret_cast<std::remove_reference_t<Reference>*>(noAddress());
}
template <class Number>
bool exists(const Number& number) {
    return reinterpret_cast<std::uintptr_t>(std::addressof(number)) != noAddress();
}

/// The memory of a variable, or of all elements of an array.
template <class T>
std::pair<const char*, const char*> bytesOf(const T& variable) {
    const char* const begin = reinterpret_cast<const char*>(std::addressof(variable));
    return {begin, begin + sizeof variable};
}
template <class T, class... Slots>
std::pair<const char*, const char*> bytesOf(const Array<T, Slots...>& array) {
    const Storage* const storage = array.storage();
    if (storage == nullptr) return {nullptr, nullptr};
    const char* const begin = reinterpret_cast<const char*>(storage->address);
    return {begin, begin + static_cast<std::size_t>(storage->slots) * storage->elementSize};
}
/// True if two variables, or a variable and the elements of an array, surely share no memory.
template <class A, class B>
bool distinct(const A& a, const B& b) {
    const auto mine = bytesOf(a), others = bytesOf(b);
    return mine.second <= others.first || others.second <= mine.first;
}

/// True if two arrays surely share no element. Two views of a container, divide(v, x), have a
/// storage each, of the same memory.
template <class A, class B>
[[gnu::always_inline]] inline bool disjoint(const A& a, const B& b) {
    const Storage *const mine = a.storage(), *const others = b.storage();
    if (mine == others) return false;
    const bool areOwn = mine != nullptr && others != nullptr && mine->allocation != nullptr &&
                        others->allocation != nullptr;
    return areOwn || distinct(a, b);
}

/// True if A is a multiarray, or a reference to one, with these slots; its type of elements.
template <class A, class... Slots>
inline constexpr bool isArrayOf = [] {
    using Own = std::remove_cv_t<std::remove_reference_t<A>>;
    if constexpr (isArray<Own>)
        return std::is_same_v<Own, Array<typename Own::Element, Slots...>>;
    else
        return false;
}();
template <class A>
using ElementOf = typename std::decay_t<A>::Element;

/// True if the class is one of these.
template <class T, class... Known>
inline constexpr bool isOneOfClasses = (std::is_same_v<T, Known> || ...);

/// True of a number no wider than a double; of an array of these, which nobody can change if it is
/// constant.
template <class T>
inline constexpr bool isShortNumber =
    std::is_arithmetic_v<T> && !std::is_volatile_v<T> && !std::is_same_v<T, long double>;
template <class T>
inline constexpr bool isTable =
    std::is_array_v<T>&& isShortNumber<std::remove_const_t<std::remove_all_extents_t<T>>>;
template <class T, std::size_t N>
inline constexpr bool isTable<std::array<T, N>> = isShortNumber<T>;
template <class T, std::size_t N>
inline constexpr bool isTable<const std::array<T, N>> = isShortNumber<T>;
template <class T>
inline constexpr bool isConstantTable = isTable<T>&& std::is_const_v<std::remove_all_extents_t<T>>;

/// True if no element of the arrays is one of a table.
template <class T, class Table, class... Arrays>
bool keepsTable(const Table& table, const Arrays&... written) {
    if constexpr (isConstantTable<T>)
        return true;
    else if constexpr (isTable<T>)
        return (distinct(written, table(0)) && ...);
    else
        return false;
}

/// A number that stands beside a double. Nothing is computed with what is none.
template <class T>
constexpr double asDouble(const T& number) {
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<double>(number);
    else
        return 0;
}

}  // namespace hpspmd::detail
