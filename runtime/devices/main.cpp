// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-devices, which `hpcc devices` starts: a table of the host and the devices of this
/// machine.

#include <cstdio>
#include <cstring>
#include <string>

#include "devices/apart.hpp"

namespace hpspmd::devices {
namespace {

constexpr const char* usage =
    "usage: hpcc devices: the processor and the devices of this machine, named as in "
    "HPSPMD_TARGET, with memory, the speed at\nwhich all cores copy it (bytes read and written), "
    "and what is in the way of those that cannot be used.\n"
    "       hpcc devices -n N [options of hpcc run] [--again]: those of the processes of a job, "
    "with measured speeds.\n";
constexpr int secondsForDriver = 60, misused = 2, notWritten = 1;

void print(const Device& device) {
    std::printf("%-12s %-20s %10s %12s  %s%s%s\n", device.name.c_str(),
                device.units.empty() ? "-" : device.units.c_str(),
                inGigabytes(device.memory, "GB").c_str(),
                inGigabytes(device.bandwidth, "GB/s").c_str(), device.what.c_str(),
                device.what.empty() || device.problem.empty() ? "" : ": ", device.problem.c_str());
}

int printTable() {
    std::printf("%-12s %-20s %10s %12s  %s\n", "target", "has", "memory", "copies at", "what");
    std::fflush(stdout);
    Device processor = host();
    processor.bandwidth = copyBandwidth();
    print(processor);
    for (const Device& device : apart("cuda", cudaDevices, secondsForDriver)) print(device);
    for (const Device& device : apart("opencl", openClDevices, secondsForDriver)) print(device);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : notWritten;
}

}  // namespace
}  // namespace hpspmd::devices

int main(int count, char** words) {
    if (count == 2 && std::strcmp(words[1], "--help") == 0) {
        std::fputs(hpspmd::devices::usage, stdout);
        return 0;
    }
    if (count == 1) return hpspmd::devices::printTable();
    std::fputs(hpspmd::devices::usage, stderr);
    return hpspmd::devices::misused;
}
