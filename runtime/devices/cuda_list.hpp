// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// NVIDIA's GPUs, as the driver's interface shows them (cuda.h, of which it needs a few numbers):
/// for the table of `hpcc devices`, and for the nests that run on them.

#include "devices/library.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::devices {

struct CudaDevice {
    int number = 0, handle = 0;  // cuda:0 is the first that CUDA_VISIBLE_DEVICES shows
    std::string name;
    int capability = 0;  // 90 is sm_90
    int multiprocessors = 0;
    std::size_t memory = 0;
};

/// libcuda.so.1, ready for calls. Unusable.
Library cudaLibrary();

/// At least one. Unusable.
std::vector<CudaDevice> cudaDevicesOf(const Library& cuda);

/// Unusable with what the driver says, unless the code is that of success.
void requireCuda(const Library& cuda, int code, const char* call);

/// libnvrtc.so, the compiler of kernels, where the loader finds it, or below CUDA_PATH or
/// /usr/local/cuda. Unusable.
Library cudaCompiler();

/// libcublas.so, products of matrices, where libnvrtc.so is looked for. Unusable.
Library cudaBlas();

}  // namespace hpspmd::devices
