// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// compose: the text of a message from its parts.

#include <sstream>
#include <string>

namespace hpspmd::detail {

template <class... Parts>
std::string compose(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

}  // namespace hpspmd::detail
