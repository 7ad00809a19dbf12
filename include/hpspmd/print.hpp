// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What `std::cout << a` prints of arrays, ranges and groups, and Adlib::describe.

#include <hpspmd/array.hpp>
#include <hpspmd/device/home.hpp>

#include <ostream>
#include <string>

namespace hpspmd {
namespace detail {

template <class T, class = void>
inline constexpr bool isPrintable = false;
template <class T>
inline constexpr bool isPrintable<
    T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> = true;

/// The signature of a function in which the name of T stands: "const char* .. [with T = double]".
template <class T>
const char* signatureWith() {
    return __PRETTY_FUNCTION__;
}

template <class T>
void printElement(std::ostream& stream, const void* address) {
    const T& element = *static_cast<const T*>(address);
    if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>)
        stream << static_cast<int>(element);
    else if constexpr (isPrintable<T>)
        stream << element;
    else
        stream << '?';
}

/// An array for printing, the type of its elements erased.
struct ShownArray {
    const char* signature;  ///< of signatureWith
    std::string slots;      ///< "[[-,*]]"
    bool isValid;
    Descriptor layout;
    const char* data;
    Index elementSize;
    void (*print)(std::ostream&, const void*);
};

template <class T, class... Slots>
ShownArray shown(const Array<T, Slots...>& a) {
    std::string slots;
    ((slots += std::is_same_v<Slots, Dist> ? ",-" : ",*"), ...);
    atHome(Where{}, reads(a));
    return {signatureWith<T>(),
            "[[" + slots.substr(slots.empty() ? 0 : 1) + "]]",
            a.valid(),
            a.descriptor(),
            reinterpret_cast<const char*>(a.data()),
            sizeof(T),
            printElement<std::remove_const_t<T>>};
}

void print(std::ostream& stream, const ShownArray& array);
std::string description(const ShownArray& array);

}  // namespace detail

/// Type, shape and group of the array, and the elements that this process holds, of long rows only
/// the ends. No communication: processes that hold different elements print different text.
/// Example, of the first of two processes:
///     double [[-,*]] 4 x 3 on grid (2), process 0 holds [0 : 1, 0 : 2]
///       [0, :]  0  1  2
///       [1, :] 10 11 12
template <class T, class... Slots>
std::ostream& operator<<(std::ostream& stream, const Array<T, Slots...>& a) {
    detail::print(stream, detail::shown(a));
    return stream;
}

/// "ExtBlockRange(12, P=2, 1, 1)".
std::ostream& operator<<(std::ostream& stream, const Range& x);
/// "grid (2 x 3) / (1, *)".
std::ostream& operator<<(std::ostream& stream, const Group& g);

namespace Adlib {

/// How an array lies: type, shape and group, and for each dimension its range, the distance of
/// neighbours in memory, and which locations this process holds. No communication.
/// Example: `std::cout << Adlib::describe(a)`
///     double [[-,*]] 4 x 3 on grid (2)
///       dimension 0: BlockRange(4, P=2), stride 8, here 0 : 1
///       dimension 1: CollapsedRange(3), stride 1, here 0 : 2
///       process 0 holds 6 elements of 8 bytes
template <class T, class... Slots>
std::string describe(const Array<T, Slots...>& a) {
    return detail::description(detail::shown(a));
}

/// "BlockRange(4, P=2) over dimension 0 of grid (2), here 0 : 1".
std::string describe(const Range& x);
/// "grid (2), 2 processes, this one is process 0".
std::string describe(const Group& g);

}  // namespace Adlib
}  // namespace hpspmd
