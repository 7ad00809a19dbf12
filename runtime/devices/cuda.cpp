// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's GPUs, as the driver's interface shows them (cuda.h, of which it needs a few numbers).
#include "devices/device.hpp"
#include "devices/library.hpp"

#include <array>

namespace hpspmd::devices {
namespace {

constexpr int success = 0, multiprocessorCount = 16, majorCapability = 75, minorCapability = 76;

class Driver {
public:
    Driver() : library_("libcuda.so.1") {
        require(library_.function<int(unsigned)>("cuInit")(0), "cuInit");
    }

    std::vector<Device> devices() const {
        int count = 0;
        require(library_.function<int(int*)>("cuDeviceGetCount")(&count), "cuDeviceGetCount");
        if (count == 0) throw Unusable("the driver shows no device (CUDA_VISIBLE_DEVICES?)");
        std::vector<Device> result;
        for (int number = 0; number < count; ++number) result.push_back(device(number));
        return result;
    }

private:
    Device device(int number) const {
        int handle = 0;
        std::array<char, 256> name{};
        std::size_t memory = 0;
        require(library_.function<int(int*, int)>("cuDeviceGet")(&handle, number), "cuDeviceGet");
        require(library_.function<int(char*, int, int)>("cuDeviceGetName")(
                    name.data(), static_cast<int>(name.size()) - 1, handle),
                "cuDeviceGetName");
        require(library_.function<int(std::size_t*, int)>("cuDeviceTotalMem_v2")(&memory, handle),
                "cuDeviceTotalMem");
        return {"cuda:" + std::to_string(number),
                std::string(name.data()) + " (sm_" + attribute(majorCapability, handle) +
                    attribute(minorCapability, handle) + ")",
                attribute(multiprocessorCount, handle) + " multiprocessors",
                static_cast<double>(memory),
                0,
                ""};
    }

    std::string attribute(int which, int handle) const {
        int value = 0;
        require(
            library_.function<int(int*, int, int)>("cuDeviceGetAttribute")(&value, which, handle),
            "cuDeviceGetAttribute");
        return std::to_string(value);
    }

    void require(int code, const char* call) const {
        if (code == success) return;
        const char* text = nullptr;
        library_.function<int(int, const char**)>("cuGetErrorString")(code, &text);
        throw Unusable(std::string(call) + ": " + (text != nullptr ? text : "error") + " (" +
                       std::to_string(code) + ")");
    }

    Library library_;
};

/// The compiler of kernels, of any version; empty if it is there.
std::string whyNoCompiler() {
    for (const char* const file :
         {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"})
        try {
            const Library library(file);
            return "";
        } catch (const Unusable&) {
        }
    return "no libnvrtc.so of version 11.2 to 13, which makes kernels";
}

}  // namespace

std::vector<Device> cudaDevices() {
    try {
        std::vector<Device> devices = Driver().devices();
        const std::string problem = whyNoCompiler();
        for (Device& device : devices) device.problem = problem;
        return devices;
    } catch (const Unusable& reason) {
        return {{"cuda", "", "", 0, 0, reason.what()}};
    }
}

}  // namespace hpspmd::devices
