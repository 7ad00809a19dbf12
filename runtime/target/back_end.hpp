// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The kinds of devices that this program knows, and which of them a target means.

#include <hpspmd/target.hpp>

#include <string>
#include <vector>

namespace hpspmd::detail {

/// Devices of one kind: Cuda, OpenCl or Check.
struct BackEnd {
    TargetKind kind = TargetKind::None;
    /// Why this process cannot use that device, as a clause ("libcuda.so.1 is not installed");
    /// empty if it can. A negative number is the process's own device. Slow at most once per
    /// device.
    std::string (*whyNot)(int number) = nullptr;
    /// The number of the n-th GPU among them, of the process's own one if n is negative; negative
    /// if there is none. Null: all of them are GPUs, with the same numbers.
    int (*gpuNumber)(int n) = nullptr;
};

/// The device with the number d of the platform p of OpenCL has the number 1000 p + d.
inline constexpr int devicesPerPlatform = 1000;

/// Called before main, by an object of static duration beside the back end:
///
///     const bool isRegistered = registerBackEnd({TargetKind::Check, whyNot, nullptr});
bool registerBackEnd(const BackEnd& backEnd);

/// True if the program has kernels, so in all its processes or in none.
bool hasKernels();

/// True if it means devices only.
inline bool isDevice(const Target& target) {
    return target.kind() > TargetKind::Threads && target.kind() != TargetKind::Automatic;
}

/// A device, or why there is none.
struct Found {
    Target device;  // of kind Cuda, OpenCl or Check; None if there is none
    std::string reason;
};

/// What HPSPMD_DEVICES names: the devices that share nests. TargetUnavailable for what is none.
const std::vector<Target>& namedDevices();

/// The device that a target means: of `devices` the first one named, of `gpu`, and of it, the first
/// that works of CUDA and OpenCL. The check device only answers to its own name. The reason may be
/// left out, since making it takes longer than a small nest.
Found findDevice(const Target& target, bool wantsReason = true);

}  // namespace hpspmd::detail
