// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Measured shares that are kept from run to run of a program, beside the kernels of devices.

#include <hpspmd/where.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hpspmd::detail {

/// What shares belong to: this machine, this program as it is now, so many rows, the target in
/// words, and the names of the devices.
std::string keyOfShares(Index rows, const std::string& target,
                        const std::vector<std::string>& devices);

/// "0.75 0.25 0": so many shares, of which none is negative, and whose sum is 1. Nothing for
/// anything else.
std::optional<std::vector<double>> sharesIn(std::string_view text, std::size_t count);

/// What an earlier run has found. Nothing if there is no such entry, or a damaged one.
std::optional<std::vector<double>> keptShares(const std::string& key, std::size_t count);
void keepShares(const std::string& key, const std::vector<double>& shares) noexcept;

}  // namespace hpspmd::detail
