// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/write_halos.hpp>

#include "schedule/exchange.hpp"

namespace hpspmd::detail {

/// All of writeHalo() where nothing moves, without a plan; false, and nothing done, where it does.
bool fillAlone(const Operand& array, const HaloRequest& request, Where where);

/// writeHalo() up to the messages' being under way; the exchange's finish() is the rest.
Exchange& startHalo(const Operand& array, const HaloRequest& request, Where where);
Exchange& startHalo(const std::vector<HaloPart>& parts, Where where);

/// True if so many cells below and above the blocks, in each dimension, are as their owners have
/// them.
bool isFresh(const Descriptor& part, const int* low, const int* high);
/// True if writeHalo may fill cells of a divided view.
bool haveNeighbours(const Descriptor& part);

}  // namespace hpspmd::detail
