// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "speeds/processes.hpp"

#include <cstdio>
#include <sstream>

namespace hpspmd::speeds {
namespace {

constexpr int linesOfDevice = 7;

std::string ratio(double speed, double first) {
    if (speed <= 0 || first <= 0) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", speed / first);
    return text;
}

std::string lineOf(std::size_t number, const Process& process, const devices::Device& device,
                   double first) {
    char text[160];
    std::snprintf(text, sizeof text, "%-8zu %-12.12s %-12.24s %-20.32s %10s %6s %10s  ", number,
                  process.node.c_str(), device.name.c_str(),
                  device.units.empty() ? "-" : device.units.c_str(),
                  devices::inGigabytes(device.memory, "GB").c_str(),
                  ratio(device.speed, first).c_str(),
                  devices::inGigabytes(device.bandwidth, "GB/s").c_str());
    const char* const between = device.what.empty() || device.problem.empty() ? "" : ": ";
    return text + device.what + between + device.problem + '\n';
}

}  // namespace

std::string textOf(const Process& process) {
    return process.node + '\n' + std::to_string(process.devices.size()) + '\n' +
           devices::textOf(process.devices);
}

std::vector<Process> processesIn(const std::string& text) {
    std::vector<Process> result;
    std::istringstream lines(text);
    std::string count, line;
    for (Process each; std::getline(lines, each.node) && std::getline(lines, count);) {
        std::string own;
        for (long k = std::atol(count.c_str()) * linesOfDevice; k > 0; --k)
            if (std::getline(lines, line)) own += line + '\n';
        each.devices = devices::devicesIn(own);
        result.push_back(each);
    }
    return result;
}

std::string tableOf(const std::vector<Process>& processes) {
    const double first = processes.at(0).devices.at(0).speed;
    std::string table =
        "process  node         target       has                      memory  speed  copies at  "
        "what\n";
    std::string list;
    for (std::size_t number = 0; number < processes.size(); ++number) {
        const Process& process = processes[number];
        for (const devices::Device& device : process.devices)
            table += lineOf(number, process, device, first);
        list += (list.empty() ? "" : ",") + ratio(process.devices.at(0).speed, first);
    }
    return table + "HPSPMD_SPEEDS=" + list + '\n';
}

}  // namespace hpspmd::speeds
