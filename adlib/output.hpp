#pragma once

#include <string>

namespace hpspmd::detail {

/// Writes text on standard output, after what the program has written itself, and at once. IoError.
void writeOut(const std::string& text);

}  // namespace hpspmd::detail
