// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The devices that OpenCL shows, as CL/cl.h names them: for the table of `hpcc devices`, and for
/// the nests that run on them.

#include "devices/library.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hpspmd::devices {

/// Handles of OpenCL: platforms, devices, contexts, ..
using ClHandle = void*;
using ClGetInfo = int(ClHandle, unsigned, std::size_t, void*, std::size_t*);

struct ClDevice {
    ClHandle platform = nullptr, id = nullptr;
    int platformNumber = 0, number = 0;  // opencl:0.1 is device 1 of platform 0
    bool isGpu = false;
    std::string name, platformName;
    unsigned units = 0;
    std::uint64_t memory = 0;
    std::string problem;  // why nests cannot run there; empty if they can
};

/// libOpenCL.so.1. Unusable.
Library openClLibrary();

/// At least one. Unusable.
std::vector<ClDevice> devicesOf(const Library& library);

/// A text that a function as clGetDeviceInfo gives. Unusable.
std::string clText(const Function<ClGetInfo>& info, ClHandle handle, unsigned which);

/// A number; 0 if it is not known.
template <class Number>
Number clNumber(const Function<ClGetInfo>& info, ClHandle handle, unsigned which) {
    Number number = 0;
    return info(handle, which, sizeof number, &number, nullptr) == 0 ? number : 0;
}

}  // namespace hpspmd::devices
