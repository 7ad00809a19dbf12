// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// RowCopies, the copies of a storage whose rows are valid here and there.

#include "device/rows.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/storage.hpp>

#include <functional>

namespace hpspmd::detail {

class Backend;

/// Bytes of rows that were copied.
struct RowCount {
    std::size_t toDevices = 0, toHome = 0;
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

    std::size_t numberOf(const Backend* device) const;
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
