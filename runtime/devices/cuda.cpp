// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of CUDA.
#include "devices/cuda_list.hpp"
#include "devices/device.hpp"

namespace hpspmd::devices {
namespace {

/// Empty if the compiler of kernels is there.
std::string whyNoCompiler() {
    try {
        cudaCompiler();
        return "";
    } catch (const Unusable& reason) {
        return reason.what();
    }
}

}  // namespace

std::vector<Device> cudaDevices() {
    try {
        const std::string problem = whyNoCompiler();
        std::vector<Device> result;
        for (const CudaDevice& each : cudaDevicesOf(cudaLibrary()))
            result.push_back({"cuda:" + std::to_string(each.number),
                              each.name + " (sm_" + std::to_string(each.capability) + ")",
                              std::to_string(each.multiprocessors) + " multiprocessors",
                              static_cast<double>(each.memory), 0, problem});
        return result;
    } catch (const Unusable& reason) {
        return {{"cuda", "", "", 0, 0, reason.what()}};
    }
}

}  // namespace hpspmd::devices
