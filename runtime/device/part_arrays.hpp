// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The arrays of a nest that is divided into parts by rows, and what each part needs of them.

#include "device/mirror.hpp"
#include "device/parts.hpp"

#include <vector>

namespace hpspmd::detail {

/// Who runs which iterations; null: the host.
struct DevicePart {
    Backend* device;
    RowPart rows;
    std::size_t number = 0;  // of the device, where several share the nest; of the host behind them

    Index iterations() const { return std::max<Index>(rows.last - rows.first + 1, 0); }
};

/// An array of the nest, and what is done with it.
struct PartArray {
    Mirror* mirror;
    Index slots;
    Use use;
    RowsTaken rows;

    PartArray(const Taken& taken, Where nest);

    /// Slots of what iterations reach at these distances. Elements of a row lie between multiples
    /// of the stride.
    RowStretch slotsOf(const RowPart& part, const Shifts& shifts) const;
    RowStretch reachedBy(const RowPart& part) const { return slotsOf(part, rows.shifts); }
    RowStretch writtenBy(const RowPart& part) const {
        return use == Use::Reads ? RowStretch() : slotsOf(part, {rows.written, rows.written});
    }
};

/// Empty if one of them cannot be had.
std::vector<PartArray> arraysOf(const DividedNest& nest);
/// No element is written by two parts, and none of a row that the other one holds.
bool areIndependent(const std::vector<PartArray>& arrays, const std::vector<DevicePart>& parts);
/// makeRoom() of a later device may have sent home what an earlier one was given.
bool areSplit(const std::vector<PartArray>& arrays);
/// Copies what a part reaches to where it runs. DeviceError if that is lost; false if the device
/// does not take it.
bool areRead(const std::vector<PartArray>& arrays, const DevicePart& part, Where nest);
/// What a part writes is valid where it runs only.
void noteWritten(const std::vector<PartArray>& arrays, const DevicePart& part);

}  // namespace hpspmd::detail
