// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of one device of CUDA: those in the program, others made from their texts or taken from
/// the disk cache.

#include "device/cuda_maker.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hpspmd::detail {

struct CudaKernel {
    CudaHandle handle = nullptr;
    std::string problem;  // why there is none, as a clause
    KernelShape shape;
};

class CudaKernels {
public:
    /// devices::Unusable if there is no compiler, and no kernel for the device in the program.
    CudaKernels(const CudaDriver& driver, const devices::CudaDevice& device,
                std::string deviceName);

    const CudaKernel& made(const KernelText& kernel, Strides strides);

private:
    void openCompiler();
    CudaKernel make(const KernelText& kernel, Strides strides);
    bool takeFromProgram(const CudaSource& source, CudaKernel& result);
    CudaHandle functionOf(const char* code, std::size_t lanes, std::string& problem) const;

    const CudaDriver& driver_;
    const devices::CudaDevice device_;
    std::string name_;
    std::optional<CudaMaker> maker_;
    std::string whyNoMaker_;         // a clause
    CudaArchitecture architecture_;  // of what it makes
    std::map<std::pair<const KernelText*, Strides>, CudaKernel> kernels_;
};

}  // namespace hpspmd::detail
