// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Variables as files hold them.

#include <adlib/files.hpp>
#include <cstring>
#include <vector>

namespace hpspmd::detail {

/// True if a file's value could be one of this variable; strings and vectors have any length.
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
    using Element = std::remove_const_t<T>;
    return {operand("array", array, where), anyNumber<Element>(), fieldsOf<Element>()};
}

}  // namespace hpspmd::detail
