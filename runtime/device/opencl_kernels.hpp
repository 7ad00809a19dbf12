// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of one device of OpenCL, made from their texts or taken from the disk cache.

#include "device/kernel_shape.hpp"
#include "device/opencl_driver.hpp"

#include <hpspmd/device/launch.hpp>

#include <map>
#include <string>
#include <utility>

namespace hpspmd::detail {

struct ClKernel {
    ClHandle handle = nullptr;
    std::string problem;  // why there is none, as a clause
    KernelShape shape;
};

class ClKernels {
public:
    ClKernels(const OpenClDriver& driver, ClHandle context, const devices::ClDevice& device,
              std::string deviceName);

    const ClKernel& made(const KernelText& kernel, Strides strides);

private:
    ClKernel make(const KernelText& kernel, Strides strides);
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
    std::map<std::pair<const KernelText*, Strides>, ClKernel> kernels_;
};

}  // namespace hpspmd::detail
