// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// RowCopies, the copies of a storage whose rows are valid here and there.

#include "device/rows.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/storage.hpp>

#include <array>
#include <functional>
#include <vector>

namespace hpspmd::detail {

class Backend;

/// Bytes of rows that were copied.
struct RowCount {
    std::size_t toDevices = 0, toHome = 0;
};

/// Slots of one array for those of another one: number (i, j) of counts[0] x counts[1] is that many
/// steps behind the first one. Steps are from 1 on, and no two rows have a slot in common.
struct SlotPlane {
    std::array<Index, 2> counts;
    Index to, from;
    std::array<Index, 2> toSteps, fromSteps;
};

/// Null for a device means home.
class RowCopies {
public:
    /// All rows are valid at home.
    RowCopies(Storage& storage, RowCount& count);
    ~RowCopies();
    RowCopies(const RowCopies&) = delete;
    RowCopies& operator=(const RowCopies&) = delete;

    /// Memory of all rows, which are valid there.
    void adopt(Backend& device, std::byte* memory, bool isValidHome);
    /// Gives the device memory for these rows, and for no others. False if there is no room.
    bool hold(Backend& device, const RowStretch& window);
    /// What only that device has is lost.
    void release(const Backend& device) noexcept;

    bool isOn(const Backend& device) const;
    std::size_t bytesOn(const Backend& device) const;
    /// Where slot 0 is, or would be.
    std::byte* slotZero(const Backend& device) const;

    /// Copies what is missing. False if that cannot be done.
    bool read(const Backend* device, const RowStretch& rows);
    /// The rows are valid there, and change.
    void write(const Backend* device, const RowStretch& rows);
    /// Backend::invalidated() of rows that are not valid, but for those at home that the host is
    /// about to read.
    void invalidate(const RowStretch& readAtHome);
    RowStretch all() const { return {0, storage_.slots}; }

    /// Copies slots of another array, which has elements of the same size, wherever they are valid
    /// here: at home, and by kernels. False, and nothing has happened, if they are not valid there
    /// in the other array, or a device has no such kernel. DeviceError.
    bool copy(const RowCopies& from, const std::vector<SlotPlane>& planes, Where where);

    /// As Mirror's.
    bool boxesHome(const std::vector<Box>& read);
    bool boxesToDevices(const std::vector<Box>& written);
    void boxesLeaveHome(const std::vector<Box>& boxes);

private:
    struct Copy {
        Backend* device;
        std::byte* memory;  // of the window; null once released
        RowStretch window;
    };

    /// What copy() does in one of the copies.
    struct PlaneCopy {
        std::size_t to, from;
        SlotPlane plane;
    };

    std::size_t numberOf(const Backend* device) const;
    bool appendCopies(const RowCopies& from, const SlotPlane& plane,
                      std::vector<PlaneCopy>& copies) const;
    bool isCopied(const RowCopies& from, const PlaneCopy& one) const;
    bool isDoneDirectly(const RowMove& move);
    bool isDone(const RowMove& move);
    std::size_t bytesOf(const RowStretch& rows) const;
    /// Calls f with what of the box lies in rows.
    void forEachPart(const Box& box, const RowStretch& rows,
                     const std::function<void(const Box&)>& f) const;

    Storage& storage_;
    RowCount& count_;
    RowStates states_;
    std::vector<Copy> copies_;  // the first one is at home
};

}  // namespace hpspmd::detail
