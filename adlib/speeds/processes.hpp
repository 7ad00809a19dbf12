// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What `hpcc devices -n N` knows of the processes of its job.

#include <string>
#include <vector>

#include "devices/device.hpp"

namespace hpspmd::speeds {

/// A process: the processor, as the first device, and what drivers show.
struct Process {
    std::string node;
    std::vector<devices::Device> devices;
};

/// As text, and back; that of several is that of each, one after the other.
std::string textOf(const Process& process);
std::vector<Process> processesIn(const std::string& text);

/// The table: a line for each device of each process, and the processes' speeds as HPSPMD_SPEEDS
/// takes them. Speeds are told beside that of the first process.
std::string tableOf(const std::vector<Process>& processes);

}  // namespace hpspmd::speeds
