// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaMaker, which makes kernels of CUDA of their texts, where the program runs or ahead of time.

#include "device/cuda_driver.hpp"
#include "device/kernel_shape.hpp"
#include "device/made_kernels.hpp"

#include <string>
#include <vector>

namespace hpspmd::detail {

/// What the compiler is given, but for the architecture.
struct CudaSource {
    std::string text;
    std::vector<std::string> options;

    KernelKey key() const;
};

CudaSource cudaSourceOf(const KernelText& kernel, const KernelShape& shape);

/// What became of a source.
struct CudaCode {
    std::string code;
    std::string problem;  // why there is none, as a clause
    bool isCached = false;
};

class CudaMaker {
public:
    /// devices::Unusable
    explicit CudaMaker(const devices::Library& compiler);

    const std::string& version() const { return version_; }  ///< "NVRTC 13.0"
    /// Capabilities.
    const std::vector<int>& architectures() const { return architectures_; }
    /// The device's own code, or else text that the driver translates. devices::Unusable
    CudaArchitecture architectureFor(int capability) const;

    /// From the disk cache, if it has been made before. Threads may ask at the same time.
    CudaCode made(const CudaSource& source, const CudaArchitecture& architecture) const;

private:
    std::string compiled(const std::string& text, const std::vector<std::string>& options,
                         bool isCode, std::string& problem) const;
    std::string logOf(CudaCompiler::Program program) const;

    CudaCompiler compiler_;
    std::string version_;
    std::vector<int> architectures_;
};

}  // namespace hpspmd::detail
