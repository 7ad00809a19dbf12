// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/opencl_list.hpp"

namespace hpspmd::devices {
namespace {

constexpr int success = 0, noDevice = -1, noPlatform = -1001;
constexpr std::uint64_t allDevices = 0xFFFFFFFF, gpuType = 1 << 2;
constexpr unsigned platformName = 0x0902, deviceType = 0x1000, deviceUnits = 0x1002,
                   deviceMemory = 0x101F, deviceIsLittle = 0x1026, deviceIsAvailable = 0x1027,
                   deviceCompiler = 0x1028, deviceName = 0x102B, deviceDoubles = 0x1032;

using GetPlatforms = int(unsigned, ClHandle*, unsigned*);
using GetDevices = int(ClHandle, std::uint64_t, unsigned, ClHandle*, unsigned*);

void require(int code, const char* call) {
    if (code != success)
        throw Unusable(std::string(call) + ": error " + std::to_string(code) + " of OpenCL");
}

std::string problemOf(const Function<ClGetInfo>& info, ClHandle device) {
    if (clNumber<std::uint32_t>(info, device, deviceIsAvailable) == 0) return "is not available";
    if (clNumber<std::uint32_t>(info, device, deviceCompiler) == 0) return "has no compiler";
    if (clNumber<std::uint32_t>(info, device, deviceIsLittle) == 0)
        return "has another order of bytes";
    return clNumber<std::uint64_t>(info, device, deviceDoubles) == 0 ? "has no doubles" : "";
}

std::vector<ClDevice> devicesOf(const Library& library, ClHandle platform, int platformNumber) {
    const auto list = library.function<GetDevices>("clGetDeviceIDs");
    const auto info = library.function<ClGetInfo>("clGetDeviceInfo");
    unsigned count = 0;
    const int code = list(platform, allDevices, 0, nullptr, &count);
    if (code != noDevice) require(code, "clGetDeviceIDs");
    std::vector<ClHandle> ids(code == noDevice ? 0 : count);
    if (!ids.empty())
        require(list(platform, allDevices, count, ids.data(), nullptr), "clGetDeviceIDs");
    const std::string name =
        clText(library.function<ClGetInfo>("clGetPlatformInfo"), platform, platformName);
    std::vector<ClDevice> result;
    for (ClHandle id : ids)
        result.push_back({platform, id, platformNumber, static_cast<int>(result.size()),
                          (clNumber<std::uint64_t>(info, id, deviceType) & gpuType) != 0,
                          clText(info, id, deviceName), name,
                          clNumber<std::uint32_t>(info, id, deviceUnits),
                          clNumber<std::uint64_t>(info, id, deviceMemory), problemOf(info, id)});
    return result;
}

}  // namespace

Library openClLibrary() { return Library("libOpenCL.so.1"); }

std::string clText(const Function<ClGetInfo>& info, ClHandle handle, unsigned which) {
    std::size_t length = 0;
    require(info(handle, which, 0, nullptr, &length), "clGetInfo");
    std::string text(length, 0);
    require(info(handle, which, length, text.data(), nullptr), "clGetInfo");
    return text.c_str();  // without the zero, which counts
}

std::vector<ClDevice> devicesOf(const Library& library) {
    const auto list = library.function<GetPlatforms>("clGetPlatformIDs");
    unsigned count = 0;
    const int code = list(0, nullptr, &count);
    if (code != noPlatform) require(code, "clGetPlatformIDs");
    if (count == 0 || code == noPlatform) throw Unusable("no platform is installed");
    std::vector<ClHandle> platforms(count);
    require(list(count, platforms.data(), nullptr), "clGetPlatformIDs");
    std::vector<ClDevice> result;
    for (std::size_t k = 0; k < platforms.size(); ++k)
        for (ClDevice& device : devicesOf(library, platforms[k], static_cast<int>(k)))
            result.push_back(std::move(device));
    if (result.empty()) throw Unusable("no platform has a device");
    return result;
}

}  // namespace hpspmd::devices
