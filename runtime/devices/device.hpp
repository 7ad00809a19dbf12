// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What `hpcc devices` says of the host and of the devices that drivers show.

#include <string>
#include <vector>

namespace hpspmd::devices {

/// A line of a table. `name` is the word of HPSPMD_TARGET that means it.
struct Device {
    std::string name, what;
    std::string units;         ///< "2 cores", "132 multiprocessors"
    double memory = 0;         ///< bytes; 0: not known
    double bandwidth = 0;      ///< bytes each second; 0: not measured
    std::string problem = "";  ///< why it cannot be used; empty if it can
    double speed = 0;          ///< elements of a small nest each second; 0: not measured
};

/// The processor, and its cores that this process may use.
Device host();
/// Bytes that all of these cores together read and write each second.
double copyBandwidth();

/// As text, a field in each line, and back.
std::string textOf(const std::vector<Device>& devices);
std::vector<Device> devicesIn(const std::string& text);

/// "23.5 GB" for 23.5e9 bytes and "GB"; "-" for what is not known.
std::string inGigabytes(double bytes, const char* unit);

/// The devices of a driver whose library is opened now; or one line that says why there are none.
std::vector<Device> cudaDevices();
std::vector<Device> openClDevices();

}  // namespace hpspmd::devices
