// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What `hpcc devices` says of the host and of the devices that drivers show.

#include <string>
#include <vector>

namespace hpspmd::devices {

/// A line of the table. `name` is the word of HPSPMD_TARGET that means it.
struct Device {
    std::string name, what;
    std::string units;         ///< "2 cores", "132 multiprocessors"
    double memory = 0;         ///< bytes; 0: not known
    double bandwidth = 0;      ///< bytes read and written each second; 0: not measured
    std::string problem = "";  ///< why it cannot be used; empty if it can
};

/// The processor, its cores that this process may use, and how fast all of them copy memory.
Device host();

/// The devices of a driver whose library is opened now; or one line that says why there are none.
std::vector<Device> cudaDevices();
std::vector<Device> openClDevices();

}  // namespace hpspmd::devices
