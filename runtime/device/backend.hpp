// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Backend, what a kind of device can do. Nothing else knows the kinds.

#include <hpspmd/device/launch.hpp>

#include <cstddef>

namespace hpspmd::detail {

class Backend {
public:
    virtual ~Backend() = default;

    virtual const char* name() const = 0;
    /// Null if there is no room.
    virtual std::byte* allocate(std::size_t bytes) = 0;
    virtual void release(std::byte* memory, std::size_t bytes) noexcept = 0;
    virtual void clear(std::byte* memory, std::size_t bytes) = 0;
    virtual void copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) = 0;
    virtual void copyOut(std::byte* home, const std::byte* memory, std::size_t bytes) = 0;
    virtual void launch(const KernelText& kernel, void** arguments) = 0;
    /// A copy at home or on the device is no longer valid. Who looks for errors makes that visible.
    virtual void invalidated(std::byte* memory, std::size_t bytes, std::size_t elementSize) = 0;
};

/// The kernels run on the host, on copies in memory of their own; copies that are not valid are
/// overwritten.
Backend& checkDevice();

}  // namespace hpspmd::detail
