// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What HPSPMD_LOG=1 says at the end of a program whose nests may run on a device.

#include "device/mirror.hpp"

#include <hpspmd/device/launch.hpp>

namespace hpspmd::detail {

/// Of a kernel of that name, or of a library.
void noteLaunch(Where nest, const char* device, const char* kernel) noexcept;
/// Where a kernel comes from: it has been made now, in so many seconds, read from the disk, or was
/// in the program.
enum class KernelOrigin : unsigned char { Made, Cache, Program };
void noteKernel(const char* device, const std::string& description, double seconds,
                KernelOrigin origin) noexcept;
/// A message that goes from device to device.
void noteMessage(std::size_t bytes) noexcept;
/// Of the arrays created at one place together.
void noteCopies(Where created, std::size_t bytes, const CopyCount& copies) noexcept;

/// Since the start, of mirrors that are gone: for tests.
struct DeviceCounts {
    Index launches = 0, toDevice = 0, toHome = 0;
};
DeviceCounts deviceCounts();

}  // namespace hpspmd::detail
