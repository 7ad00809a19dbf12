// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of one device of OpenCL, made from their texts or taken from the disk cache.

#include "device/opencl_driver.hpp"

#include <hpspmd/device/launch.hpp>

#include <array>
#include <map>
#include <string>

namespace hpspmd::detail {

/// Lanes in each dimension.
using ClShape = std::array<std::size_t, 3>;

struct ClKernel {
    ClHandle handle = nullptr;
    std::string problem;  // why there is none, as a clause
    ClShape group{1, 1, 1};
    std::size_t rows = 1;  // of the outermost loop, that a lane takes at a time
    bool joins = false;
};

class ClKernels {
public:
    ClKernels(const OpenClDriver& driver, ClHandle context, const devices::ClDevice& device,
              std::string deviceName);

    const ClKernel& made(const KernelText& kernel);

private:
    ClKernel make(const KernelText& kernel);
    ClHandle builtFrom(ClHandle program, const std::string& options, std::string& problem) const;
    ClHandle programOf(const std::string& text, const std::string& options, bool& isCached,
                       std::string& problem) const;
    std::string binaryOf(ClHandle program) const;

    const OpenClDriver& driver_;
    ClHandle context_;
    const devices::ClDevice device_;
    std::string name_;
    std::string version_;  // of all that makes binaries
    bool roundsDivision_;
    std::map<const KernelText*, ClKernel> kernels_;
};

}  // namespace hpspmd::detail
