// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of CUDA, made before the program runs.

#include "ahead/texts.hpp"
#include "device/cuda_maker.hpp"

#include <string>
#include <vector>

namespace hpspmd::ahead {

/// One text in one version for one architecture.
struct Made {
    std::string name;
    detail::KernelKey key;
    detail::CudaArchitecture architecture;
    detail::CudaCode code;
    bool isGuess;  ///< as of its Text
};

/// The kernels of the program, and those by which the library moves elements. By all cores.
std::vector<Made> kernelsOf(const std::vector<Text>& texts,
                            const std::vector<detail::CudaArchitecture>& architectures,
                            const detail::CudaMaker& maker);

/// C++ that adds them to a program (hpspmd/device/made_kernel.hpp), but for those without code.
std::string definitionsOf(const std::vector<Made>& kernels);

}  // namespace hpspmd::ahead
