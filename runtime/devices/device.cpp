// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace hpspmd::devices {

std::string textOf(const std::vector<Device>& devices) {
    std::ostringstream text;
    const auto line = [](std::string field) {
        for (char& letter : field)
            if (letter == '\n') letter = ' ';
        return field + '\n';
    };
    text.precision(17);
    for (const Device& each : devices)
        text << line(each.name) << line(each.what) << line(each.units) << each.memory << '\n'
             << each.bandwidth << '\n'
             << line(each.problem) << each.speed << '\n';
    return text.str();
}

std::vector<Device> devicesIn(const std::string& text) {
    std::vector<Device> devices;
    std::istringstream lines(text);
    Device each;
    std::string memory, bandwidth, speed;
    while (std::getline(lines, each.name) && std::getline(lines, each.what) &&
           std::getline(lines, each.units) && std::getline(lines, memory) &&
           std::getline(lines, bandwidth) && std::getline(lines, each.problem) &&
           std::getline(lines, speed)) {
        each.memory = std::strtod(memory.c_str(), nullptr);
        each.bandwidth = std::strtod(bandwidth.c_str(), nullptr);
        each.speed = std::strtod(speed.c_str(), nullptr);
        devices.push_back(each);
    }
    return devices;
}

std::string inGigabytes(double bytes, const char* unit) {
    if (bytes <= 0) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %s", bytes * 1e-9, unit);
    return text;
}

}  // namespace hpspmd::devices
