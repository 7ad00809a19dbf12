// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels that are in the program before it runs: hpcc --device-arch emits these.

#include <cstddef>
#include <cstdint>

namespace hpspmd::detail {

/// What a text and options are known by.
struct KernelKey {
    std::uint64_t first, second;

    friend bool operator==(const KernelKey& a, const KernelKey& b) {
        return a.first == b.first && a.second == b.second;
    }
};

/// A kernel of CUDA.
struct MadeKernel {
    KernelKey key;               // of what it was made from
    const char* architecture;    // "sm_90", or "compute_90" of a text for the driver
    const std::uint64_t* words;  // the code, with zeros at the end
    std::size_t bytes;           // of it
};

/// They stay where they are as long as the program runs. True.
bool addMadeKernels(const MadeKernel* begin, const MadeKernel* end);

}  // namespace hpspmd::detail
