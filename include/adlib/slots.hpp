// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Some slots of an array, copied and written where its elements are.

#include <adlib/operand.hpp>
#include <hpspmd/block.hpp>

#include <memory>
#include <vector>

namespace hpspmd::detail {

class BoxesAtHome;

/// Slots that this process holds: the product of stretches of local subscripts, one list for each
/// dimension.
using SlotBox = std::vector<std::vector<Block>>;

/// Copies slots of an array to the same ones of another array, on the device that has the newest
/// elements of both, or on all devices that have them in rows. False if some cannot be copied so:
/// only these are in `boxes` then, and nothing has happened to them.
bool copiedOnDevice(const Call& call, const Operand& to, const Operand& from,
                    std::vector<SlotBox>& boxes);

/// Slots that the host reads and writes: until giveBack() they are at home, and nothing else of
/// arrays that have their newest elements on devices.
///
///     SlotsAtHome home(where);
///     home.takeToWrite(array, {border});
///     .. // stores elements of the border
///     home.giveBack();
class SlotsAtHome {
public:
    explicit SlotsAtHome(Where where);
    ~SlotsAtHome();
    SlotsAtHome(const SlotsAtHome&) = delete;
    SlotsAtHome& operator=(const SlotsAtHome&) = delete;

    void takeToRead(const Operand& array, const std::vector<SlotBox>& boxes);
    /// All of them are written.
    void takeToWrite(const Operand& array, const std::vector<SlotBox>& boxes);
    void giveBack();

private:
    std::unique_ptr<BoxesAtHome> boxes_;
};

}  // namespace hpspmd::detail
