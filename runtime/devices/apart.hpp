// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Questions to drivers in a process of their own: some crash, and some wait for ever.

#include "devices/device.hpp"

namespace hpspmd::devices {

/// What `find` returns; a line named `name` if it does not end within so many seconds, or crashes.
std::vector<Device> apart(const std::string& name, std::vector<Device> (*find)(), int seconds);

}  // namespace hpspmd::devices
