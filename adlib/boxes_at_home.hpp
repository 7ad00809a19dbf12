// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Exchanges within an array that stays on a device.

#include <adlib/operand.hpp>

#include "plan/plan.hpp"

#include <vector>

namespace hpspmd::detail {

/// What plans read of arrays, and write there, is at home from add() to giveBack(); the rest only
/// if the device has no valid copy.
class BoxesAtHome {
public:
    explicit BoxesAtHome(Where where) : where_(where) {}

    /// The plan moves elements within the array. DeviceError.
    void add(const Operand& array, const plan::Plan& plan);
    /// When it has begun, so that what the process has copied itself is there. DeviceError.
    void giveBackCopied();
    /// After the exchange. DeviceError.
    void giveBack();

private:
    struct Part {
        Mirror* mirror;
        std::vector<Box> read, copied, written;
    };

    Where where_;
    std::vector<Part> parts_;
};

}  // namespace hpspmd::detail
