// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How fast the processes of a job, their devices and the ways between them are.

#include "devices/device.hpp"

namespace hpspmd::speeds {

/// Elements per second of a small nest in each process, all at the same time; bytes per second from
/// process 0 to this one and back, while all others wait (0 in process 0). Collective.
void measure(devices::Device& processor);

/// The same of a device of this process: the same nest, and bytes per second to it and back. It
/// stays as it is if the nest cannot run there.
void measureDevice(devices::Device& device);

}  // namespace hpspmd::speeds
