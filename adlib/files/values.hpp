// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/files.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpspmd::detail::files {

/// The number at `element` as text that gives the same number when it is read: "0.1", "-3",
/// "1+2j", "1" for true.
void appendText(std::string& text, const char* element, FileNumber number);

/// The number that the whole text is; false if it is none, or does not fit.
bool fromText(std::string_view text, char* element, FileNumber number);

/// A number that is not complex, as a double and back: the nearest one that fits.
double toDouble(const char* element, FileNumber number);
void fromDouble(double value, char* element, FileNumber number);

/// True if each number of the one kind is also one of the other, larger one, as int and long, int
/// and double.
bool widens(FileNumber from, FileNumber to);

/// So many numbers that stand at the end of the room, as wider ones, which fill it.
void widen(char* room, Index count, FileNumber from, FileNumber to);

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

}  // namespace hpspmd::detail::files
