// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/where.hpp>

#include <vector>

namespace hpspmd::detail {

/// n locations in proportion to speeds >= 0, not all 0; a remainder goes to the largest fractions,
/// and of equal ones to the first. Equal parts if no two speeds above 0 differ by more than a
/// tenth.
std::vector<Index> shares(Index n, const std::vector<double>& speeds);

/// The speeds of the `count` fastest, 0 for the others. Of equal ones the first are taken.
std::vector<double> fastest(const std::vector<double>& speeds, int count);

}  // namespace hpspmd::detail
