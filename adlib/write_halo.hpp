// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/write_halos.hpp>

#include "schedule/exchange.hpp"

#include <optional>

namespace hpspmd::detail {

/// All of writeHalo() where nothing moves, without a plan; false, and nothing done, where it does.
bool fillAlone(const Operand& array, const HaloRequest& request, Where where);

/// A call of writeHalo() whose demands are met and that has entered: what is to run for it. Notes
/// the ghost cells as filled.
class EnteredHalo {
public:
    EnteredHalo(const Operand& array, const HaloRequest& request, Where where);
    EnteredHalo(const std::vector<HaloPart>& parts, Where where);

    Exchange& exchange() const { return *exchange_; }
    const Entered& entered() const { return entered_; }
    /// What follows is not a part of the call.
    void leave() { call_.reset(); }

private:
    std::optional<Call> call_;
    Exchange* exchange_ = nullptr;
    Entered entered_;
};

/// True if so many cells below and above the blocks, in each dimension, are as their owners have
/// them.
bool isFresh(const Descriptor& part, const int* low, const int* high);
/// True if writeHalo may fill cells of a divided view.
bool haveNeighbours(const Descriptor& part);

}  // namespace hpspmd::detail
