// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of one device of CUDA, made from their texts or taken from the disk cache.

#include "device/cuda_driver.hpp"
#include "device/kernel_shape.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hpspmd::detail {

struct CudaKernel {
    CudaHandle handle = nullptr;
    std::string problem;  // why there is none, as a clause
    KernelShape shape;
};

class CudaKernels {
public:
    /// devices::Unusable
    CudaKernels(const CudaDriver& driver, const devices::Library& compiler,
                const devices::CudaDevice& device, std::string deviceName);

    const CudaKernel& made(const KernelText& kernel, Strides strides);

private:
    CudaKernel make(const KernelText& kernel, Strides strides);
    std::string codeOf(const std::string& text, const std::string& definitions, bool& isCached,
                       std::string& problem) const;
    std::string compiled(const std::string& text, const std::vector<std::string>& options,
                         std::string& problem) const;
    std::string logOf(CudaCompiler::Program program) const;
    CudaHandle functionOf(const std::string& code, std::size_t lanes, std::string& problem) const;

    const CudaDriver& driver_;
    CudaCompiler compiler_;
    const devices::CudaDevice device_;
    std::string name_;
    std::string version_;       // of the compiler
    std::string architecture_;  // "sm_90"; "compute_.." if the compiler does not know the device
    std::map<std::pair<const KernelText*, Strides>, CudaKernel> kernels_;
};

}  // namespace hpspmd::detail
