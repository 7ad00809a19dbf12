// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of OpenCL, as CL/cl.h names them.
#include "devices/device.hpp"
#include "devices/library.hpp"

#include <cstdint>

namespace hpspmd::devices {
namespace {

constexpr int success = 0, noDevice = -1, noPlatform = -1001;
constexpr std::uint64_t allDevices = 0xFFFFFFFF;
constexpr unsigned platformName = 0x0902, deviceName = 0x102B, deviceMemory = 0x101F,
                   deviceUnits = 0x1002, deviceIsAvailable = 0x1027, deviceCompiler = 0x1028,
                   deviceDoubles = 0x1032;

using Id = void*;  // of platforms and devices
using GetPlatforms = int(unsigned, Id*, unsigned*);
using GetDevices = int(Id, std::uint64_t, unsigned, Id*, unsigned*);
using GetInfo = int(Id, unsigned, std::size_t, void*, std::size_t*);

void require(int code, const char* call) {
    if (code != success)
        throw Unusable(std::string(call) + ": error " + std::to_string(code) + " of OpenCL");
}

std::string textOf(GetInfo* info, Id id, unsigned which) {
    std::size_t length = 0;
    require(info(id, which, 0, nullptr, &length), "clGetInfo");
    std::string text(length, 0);
    require(info(id, which, length, text.data(), nullptr), "clGetInfo");
    return text.c_str();  // without the zero, which counts
}

template <class Number>
Number numberOf(GetInfo* info, Id id, unsigned which) {
    Number number = 0;
    return info(id, which, sizeof number, &number, nullptr) == success ? number : 0;
}

std::string problemOf(GetInfo* info, Id device) {
    if (numberOf<std::uint32_t>(info, device, deviceIsAvailable) == 0) return "is not available";
    if (numberOf<std::uint32_t>(info, device, deviceCompiler) == 0) return "has no compiler";
    return numberOf<std::uint64_t>(info, device, deviceDoubles) == 0 ? "has no doubles" : "";
}

std::vector<Device> devicesOf(const Library& library, Id platform, const std::string& number) {
    auto* const list = library.function<GetDevices>("clGetDeviceIDs");
    auto* const info = library.function<GetInfo>("clGetDeviceInfo");
    unsigned count = 0;
    const int code = list(platform, allDevices, 0, nullptr, &count);
    if (code != noDevice) require(code, "clGetDeviceIDs");
    std::vector<Id> ids(code == noDevice ? 0 : count);
    if (!ids.empty())
        require(list(platform, allDevices, count, ids.data(), nullptr), "clGetDeviceIDs");
    const std::string name =
        textOf(library.function<GetInfo>("clGetPlatformInfo"), platform, platformName);
    std::vector<Device> result;
    for (std::size_t k = 0; k < ids.size(); ++k)
        result.push_back(
            {"opencl:" + number + "." + std::to_string(k),
             textOf(info, ids[k], deviceName) + " (" + name + ")",
             std::to_string(numberOf<std::uint32_t>(info, ids[k], deviceUnits)) + " units",
             static_cast<double>(numberOf<std::uint64_t>(info, ids[k], deviceMemory)), 0,
             problemOf(info, ids[k])});
    return result;
}

std::vector<Device> allOf(const Library& library) {
    auto* const list = library.function<GetPlatforms>("clGetPlatformIDs");
    unsigned count = 0;
    const int code = list(0, nullptr, &count);
    if (code != noPlatform) require(code, "clGetPlatformIDs");
    if (count == 0 || code == noPlatform) throw Unusable("no platform is installed");
    std::vector<Id> platforms(count);
    require(list(count, platforms.data(), nullptr), "clGetPlatformIDs");
    std::vector<Device> result;
    for (std::size_t k = 0; k < platforms.size(); ++k)
        for (Device& device : devicesOf(library, platforms[k], std::to_string(k)))
            result.push_back(std::move(device));
    if (result.empty()) throw Unusable("no platform has a device");
    return result;
}

}  // namespace

std::vector<Device> openClDevices() {
    try {
        return allOf(Library("libOpenCL.so.1"));
    } catch (const Unusable& reason) {
        return {{"opencl", "", "", 0, 0, reason.what()}};
    }
}

}  // namespace hpspmd::devices
