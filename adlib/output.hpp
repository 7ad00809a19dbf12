// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/where.hpp>
#include <string>

namespace hpspmd::detail {

/// Writes text on standard output, after what the program has written itself, and at once. IoError
/// at `where`, which is the user's call.
void writeOut(const std::string& text, Where where);

}  // namespace hpspmd::detail
