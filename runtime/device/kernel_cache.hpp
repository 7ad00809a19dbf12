// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels that drivers have made, kept on disk: $XDG_CACHE_HOME/hpcpp/kernels, else
/// ~/.cache/hpcpp/kernels, at most 256 MB.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hpspmd::detail {

/// FNV-1a. Another start gives another hash of the text.
inline constexpr std::uint64_t firstHash = 0xCBF29CE484222325, secondHash = 0x9E3779B97F4A7C15;
std::uint64_t hashOf(std::string_view text, std::uint64_t hash = firstHash);

/// What was kept under the key. Nothing if there is no such entry, or a damaged one.
std::optional<std::string> cachedKernel(const std::string& key);

/// Whole or not at all, whoever else does the same. Without a word if it cannot be written.
void keepKernel(const std::string& key, const std::string& kernel) noexcept;

}  // namespace hpspmd::detail
