// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/aprintf.hpp>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// A part of aprintf's format.
struct FormatPart {
    enum Kind { Text, Element, GlobalIndex, Newline };

    Kind kind;
    std::string text;  ///< Text: itself; Element, GlobalIndex: a conversion of printf
    int number = 0;    ///< Element: of the array; GlobalIndex: the dimension; Newline: the period
};

/// The parts of a format; AdlibError, with the position, if it is malformed or does not fit the
/// arrays, all of which have the same rank.
std::vector<FormatPart> parseFormat(const PrintFormat& format,
                                    const std::vector<PrintedArray>& arrays);

/// One element, or one integer, as a part's conversion prints it.
std::string formatted(const FormatPart& part, const PrintedArray& array, const void* element,
                      Where where);
std::string formatted(const FormatPart& part, Index value, Where where);

}  // namespace hpspmd::detail
