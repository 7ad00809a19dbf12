// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels that drivers have made, kept on disk: $XDG_CACHE_HOME/hpcpp/kernels, else
/// ~/.cache/hpcpp/kernels, at most 256 MB.

#include <optional>
#include <string>

namespace hpspmd::detail {

/// What was kept under the key. Nothing if there is no such entry, or a damaged one.
std::optional<std::string> cachedKernel(const std::string& key);

/// Whole or not at all, whoever else does the same. Without a word if it cannot be written.
void keepKernel(const std::string& key, const std::string& kernel) noexcept;

}  // namespace hpspmd::detail
