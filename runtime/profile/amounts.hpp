// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace hpspmd::profile {

std::string duration(double seconds);                       ///< "1.46 s", "2.1 ms", "40 us"
std::string amount(double bytes);                           ///< "24.6 MB"
std::string count(double number);                           ///< "9,000"
std::string plural(double number, const std::string& one);  ///< "9,000 messages"

/// runtime_error if it cannot be read.
std::string contentOf(const std::string& file);

}  // namespace hpspmd::profile
