// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/values.hpp"

#include <charconv>
#include <cstring>
#include <limits>

namespace hpspmd::detail::files {
namespace {

/// Calls action(T()) with the C++ type of a number that is not complex.
template <class Action>
auto withType(FileNumber number, const Action& action) {
    switch (number.kind) {
    case FileNumber::Boolean:
        return action(std::uint8_t());
    case FileNumber::Signed:
        switch (number.bytes) {
        case 1:
            return action(std::int8_t());
        case 2:
            return action(std::int16_t());
        case 4:
            return action(std::int32_t());
        default:
            return action(std::int64_t());
        }
    case FileNumber::Unsigned:
        switch (number.bytes) {
        case 1:
            return action(std::uint8_t());
        case 2:
            return action(std::uint16_t());
        case 4:
            return action(std::uint32_t());
        default:
            return action(std::uint64_t());
        }
    default:
        return number.bytes == 4 ? action(float()) : action(double());
    }
}

FileNumber partOf(FileNumber number) { return {FileNumber::Real, number.bytes / 2}; }

/// Reads a number at the start of the text and takes it away.
bool take(std::string_view& text, char* element, FileNumber number) {
    return withType(number, [&](auto value) {
        std::string_view digits = text;
        if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc()) return false;
        if (number.kind == FileNumber::Boolean && value > 1) return false;
        std::memcpy(element, &value, sizeof value);
        text = digits.substr(static_cast<std::size_t>(end - digits.data()));
        return true;
    });
}

}  // namespace

void appendText(std::string& text, const char* element, FileNumber number) {
    if (number.kind == FileNumber::Complex) {
        const FileNumber part = partOf(number);
        appendText(text, element, part);
        const std::size_t before = text.size();
        appendText(text, element + part.bytes, part);
        if (text[before] != '-') text.insert(before, 1, '+');
        text += 'j';
        return;
    }
    withType(number, [&](auto value) {
        std::memcpy(&value, element, sizeof value);
        char digits[32];
        text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    });
}

double toDouble(const char* element, FileNumber number) {
    return withType(number, [&](auto value) {
        std::memcpy(&value, element, sizeof value);
        return static_cast<double>(value);
    });
}

void fromDouble(double real, char* element, FileNumber number) {
    if (number.kind == FileNumber::Boolean) real = real != 0;
    withType(number, [&](auto value) {
        using Number = decltype(value);
        const auto most = static_cast<double>(std::numeric_limits<Number>::max());
        value = real >= most ? std::numeric_limits<Number>::max() : static_cast<Number>(real);
        std::memcpy(element, &value, sizeof value);
    });
}

bool fromText(std::string_view text, char* element, FileNumber number) {
    if (number.kind != FileNumber::Complex) return take(text, element, number) && text.empty();
    const FileNumber part = partOf(number);
    std::memset(element, 0, number.bytes);
    if (!take(text, element, part)) return false;
    if (text.empty()) return true;
    return take(text, element + part.bytes, part) && text == "j";
}

}  // namespace hpspmd::detail::files
