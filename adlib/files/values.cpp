// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/values.hpp"

#include <charconv>
#include <cstring>
#include <limits>

namespace hpspmd::detail::files {
namespace {

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

bool widens(FileNumber from, FileNumber to) {
    if (to.bytes <= from.bytes) return false;
    const bool isInteger = from.kind == FileNumber::Signed || from.kind == FileNumber::Unsigned;
    if (to.kind == FileNumber::Real) return isInteger || from.kind == FileNumber::Real;
    if (to.kind == FileNumber::Signed) return isInteger;
    return to.kind == from.kind &&
           (to.kind == FileNumber::Unsigned || to.kind == FileNumber::Complex);
}

void widen(char* room, Index count, FileNumber from, FileNumber to) {
    if (from.kind == FileNumber::Complex) return widen(room, 2 * count, partOf(from), partOf(to));
    withType(from, [&](auto narrow) {
        withType(to, [&](auto wide) {
            // Element k is read behind the place of all wide ones before it.
            const char* in = room + count * static_cast<Index>(sizeof wide - sizeof narrow);
            for (Index k = 0; k < count; ++k, in += sizeof narrow, room += sizeof wide) {
                std::memcpy(&narrow, in, sizeof narrow);
                wide = static_cast<decltype(wide)>(narrow);
                std::memcpy(room, &wide, sizeof wide);
            }
        });
    });
}

}  // namespace hpspmd::detail::files
