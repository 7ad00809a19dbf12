// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Pages of arrays at home that nobody may reach, because their valid copy is on a device: who does
/// is ended by a signal, whose message names the array.

#include <cstddef>
#include <string>

namespace hpspmd::detail {

/// The whole pages in [begin, end), until showPages(). `what` is what they hold, as a clause.
void hidePages(std::byte* begin, std::byte* end, std::string what);
void showPages(std::byte* begin) noexcept;

/// What the page holds, empty if it is not hidden. For handlers of signals.
std::string hiddenAt(const void* address);

}  // namespace hpspmd::detail
