// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of OpenCL.
#include "devices/device.hpp"
#include "devices/opencl_list.hpp"

namespace hpspmd::devices {

std::vector<Device> openClDevices() {
    try {
        std::vector<Device> result;
        for (const ClDevice& each : devicesOf(openClLibrary()))
            result.push_back({"opencl:" + std::to_string(each.platformNumber) + "." +
                                  std::to_string(each.number),
                              each.name + " (" + each.platformName + ")",
                              std::to_string(each.units) + " units",
                              static_cast<double>(each.memory), 0, each.problem});
        return result;
    } catch (const Unusable& reason) {
        return {{"opencl", "", "", 0, 0, reason.what()}};
    }
}

}  // namespace hpspmd::devices
