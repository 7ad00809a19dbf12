// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Variables as files hold them.

#include <adlib/files.hpp>
#include <cstring>
#include <vector>

namespace hpspmd::detail {

template <class T>
inline constexpr bool isVector = false;
template <class T, class A>
inline constexpr bool isVector<std::vector<T, A>> = !std::is_same_v<T, bool>;

template <class T>
constexpr bool isFileNumber = (std::is_arithmetic_v<T> || isComplex<T>)&&sizeof(T) <= 16 &&
                              !std::is_same_v<T, long double>;

/// That of an element; one that is no number is so many bytes.
template <class T>
constexpr FileNumber anyNumber() {
    if constexpr (isFileNumber<T>)
        return fileNumber<T>();
    else
        return {FileNumber::Opaque, static_cast<std::uint32_t>(sizeof(T))};
}

/// Numbers, strings, vectors and objects that may be copied by memcpy.
template <class T>
FileValue fileValue(const T& variable) {
    if constexpr (std::is_convertible_v<const T&, std::string>) {
        const std::string text(variable);
        const std::string bytes = text.empty() ? std::string(1, '\0') : text;
        return {{FileNumber::Text, static_cast<std::uint32_t>(bytes.size())}, {}, bytes};
    } else if constexpr (isVector<T>) {
        using Element = typename T::value_type;
        static_assert(std::is_trivially_copyable_v<Element>,
                      "the elements of a vector in a file are copied as bytes");
        return {anyNumber<Element>(),
                {static_cast<Index>(variable.size())},
                std::string(reinterpret_cast<const char*>(variable.data()),
                            variable.size() * sizeof(Element))};
    } else {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                      "a file holds arrays, numbers, strings, vectors of these, and objects that "
                      "may be copied as bytes");
        return {
            anyNumber<T>(), {}, std::string(reinterpret_cast<const char*>(&variable), sizeof(T))};
    }
}

/// Could a file's value be one of this variable? The lengths of strings and vectors are free.
template <class T>
bool isValueOf(const T& variable, const FileValue& value) {
    const FileValue own = fileValue(variable);
    if constexpr (std::is_same_v<T, std::string>)
        return value.number.kind == FileNumber::Text && value.shape.empty();
    else
        return own.number == value.number && own.shape.size() == value.shape.size();
}

template <class T>
void assign(T& variable, const FileValue& value) {
    if constexpr (std::is_same_v<T, std::string>) {
        variable = value.bytes.substr(0, value.bytes.find_last_not_of('\0') + 1);
    } else if constexpr (isVector<T>) {
        variable.resize(static_cast<std::size_t>(value.shape[0]));
        if (!variable.empty())
            std::memcpy(static_cast<void*>(variable.data()), value.bytes.data(),
                        value.bytes.size());
    } else {
        std::memcpy(static_cast<void*>(&variable), value.bytes.data(), sizeof variable);
    }
}

template <class T, class... Slots>
FileOperand anyOperand(const Array<T, Slots...>& array, Where where) {
    return {operand("array", array, where), anyNumber<std::remove_const_t<T>>()};
}

}  // namespace hpspmd::detail
