// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/files.hpp>
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

}  // namespace hpspmd::detail::files
