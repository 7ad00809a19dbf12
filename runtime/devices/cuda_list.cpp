// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda_list.hpp"

#include <array>
#include <cstdlib>

namespace hpspmd::devices {
namespace {

constexpr int success = 0, multiprocessorCount = 16, majorCapability = 75, minorCapability = 76;

int attribute(const Library& cuda, int which, int device) {
    int value = 0;
    requireCuda(cuda,
                cuda.function<int(int*, int, int)>("cuDeviceGetAttribute")(&value, which, device),
                "cuDeviceGetAttribute");
    return value;
}

CudaDevice deviceOf(const Library& cuda, int number) {
    CudaDevice result;
    result.number = number;
    std::array<char, 256> name{};
    requireCuda(cuda, cuda.function<int(int*, int)>("cuDeviceGet")(&result.handle, number),
                "cuDeviceGet");
    requireCuda(cuda,
                cuda.function<int(char*, int, int)>("cuDeviceGetName")(
                    name.data(), static_cast<int>(name.size()) - 1, result.handle),
                "cuDeviceGetName");
    requireCuda(
        cuda,
        cuda.function<int(std::size_t*, int)>("cuDeviceTotalMem_v2")(&result.memory, result.handle),
        "cuDeviceTotalMem");
    result.name = name.data();
    result.capability = 10 * attribute(cuda, majorCapability, result.handle) +
                        attribute(cuda, minorCapability, result.handle);
    result.multiprocessors = attribute(cuda, multiprocessorCount, result.handle);
    return result;
}

/// Where libraries of CUDA may lie; "" is what the loader knows.
std::vector<std::string> foldersOfLibraries() {
    std::vector<std::string> folders{""};
    for (const char* const variable : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != 0)
            folders.push_back(std::string(folder) + "/lib64/");
    folders.emplace_back("/usr/local/cuda/lib64/");
    return folders;
}

/// The first of these files that can be opened. Unusable with this reason.
Library firstOf(std::initializer_list<const char*> files, const char* reason) {
    for (const std::string& folder : foldersOfLibraries())
        for (const char* const file : files) {
            try {
                return Library((folder + file).c_str());
            } catch (const Unusable&) {
            }
        }
    throw Unusable(reason);
}

}  // namespace

void requireCuda(const Library& cuda, int code, const char* call) {
    if (code == success) return;
    const char* text = nullptr;
    cuda.function<int(int, const char**)>("cuGetErrorString")(code, &text);
    throw Unusable(std::string(call) + ": " + (text != nullptr ? text : "error") + " (" +
                   std::to_string(code) + ")");
}

Library cudaLibrary() {
    Library cuda("libcuda.so.1");
    requireCuda(cuda, cuda.function<int(unsigned)>("cuInit")(0), "cuInit");
    return cuda;
}

std::vector<CudaDevice> cudaDevicesOf(const Library& cuda) {
    int count = 0;
    requireCuda(cuda, cuda.function<int(int*)>("cuDeviceGetCount")(&count), "cuDeviceGetCount");
    if (count == 0) throw Unusable("the driver shows no device (CUDA_VISIBLE_DEVICES?)");
    std::vector<CudaDevice> result;
    for (int number = 0; number < count; ++number) result.push_back(deviceOf(cuda, number));
    return result;
}

Library cudaCompiler() {
    return firstOf({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"},
                   "no libnvrtc.so of version 11.2 to 13, which makes kernels");
}

Library cudaBlas() {
    return firstOf({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"},
                   "no libcublas.so of version 11 to 13");
}

}  // namespace hpspmd::devices
