// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which of the kernels in the program a device of CUDA can run.

#include <hpspmd/device/made_kernel.hpp>

#include <string>
#include <vector>

namespace hpspmd::detail {

/// A name as nvcc and hpcc --device-arch know it: code of devices, or text that drivers translate.
struct CudaArchitecture {
    bool isCode = true;  // "sm_90", not "compute_90"
    int capability = 0;  // 90

    /// Code runs on devices of the same generation that are as capable, text on all of these.
    bool runsOn(int deviceCapability) const {
        constexpr int generation = 10;
        return capability <= deviceCapability &&
               (!isCode || capability / generation == deviceCapability / generation);
    }
    std::string name() const;
};

/// Capability 0 if it is none.
CudaArchitecture architectureNamed(const std::string& name);

/// Those with the key that a device of that capability runs, the one to try first in front: code
/// before text, then the more capable one.
std::vector<const MadeKernel*> madeKernelsFor(const KernelKey& key, int deviceCapability);

/// True if there is one for such devices, of any key.
bool areKernelsMadeFor(int deviceCapability);

}  // namespace hpspmd::detail
