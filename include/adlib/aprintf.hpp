// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// aprintf, arrays as formatted text.

#include <adlib/operand.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace hpspmd {
namespace detail {

/// The format of aprintf and the place of the call.
struct PrintFormat {
    const char* text;
    Where where;

    PrintFormat(const char* text, Where where = Where::here()) : text(text), where(where) {}
    PrintFormat(const std::string& text, Where where = Where::here())
        : PrintFormat(text.c_str(), where) {}
};

/// How printf sees the elements of an array.
enum class Printed { Integer, Unsigned, Floating, LongDouble };

/// An array to be printed, and how its elements are read.
struct PrintedArray {
    Operand array;
    Printed kind;
    long long (*asInteger)(const void* element);  ///< for Integer and Unsigned
    long double (*asFloating)(const void* element);
};

void aprintf(const PrintFormat& format, std::vector<PrintedArray> arrays);

template <class T>
constexpr Printed printedKind() {
    if constexpr (std::is_same_v<T, long double>)
        return Printed::LongDouble;
    else if constexpr (std::is_floating_point_v<T>)
        return Printed::Floating;
    else
        return std::is_unsigned_v<T> ? Printed::Unsigned : Printed::Integer;
}

template <class A>
PrintedArray printedArray(const A& array, Where where) {
    static_assert(isArray<A>, "aprintf prints arrays; gprintln prints other values");
    using T = std::remove_const_t<typename A::Element>;
    static_assert(std::is_arithmetic_v<T>, "aprintf prints arrays of numbers");
    return {
        readOperand("array", array, where), printedKind<T>(),
        [](const void* element) { return static_cast<long long>(*static_cast<const T*>(element)); },
        [](const void* element) {
            return static_cast<long double>(*static_cast<const T*>(element));
        }};
}

}  // namespace detail

namespace Adlib {

/// Prints the elements of arrays of one shape (but any distributions) in the row-major order of
/// their global indices, once per element, as printf would print the elements of all arrays. The
/// k-th element conversion prints the k-th array: d i c for signed integers and bool, u o x X and d
/// i c for unsigned ones, f F e E g G a A for floating-point numbers, with flags, width and
/// precision; length modifiers may be left out. Besides
///     %R0 %R1 ..  the global index in that dimension (with a width: %4R0),
///     %N          a newline, %8N: after every 8th element and at the end,
///     %%          a percent sign.
/// Example: aprintf("a[%R0,%R1] = %g%N", a) prints one line per element,
///          aprintf("%8.3f %10N", a) ten elements per line.
/// The first process of the APG prints; the others send it their elements, some rows at a time.
/// Errors: AdlibError for a bad format, different shapes, an array not contained in the APG;
/// IoError.
template <class... A>
void aprintf(const detail::PrintFormat& format, const A&... arrays) {
    detail::aprintf(format, {detail::printedArray(arrays, format.where)...});
}

}  // namespace Adlib
}  // namespace hpspmd
