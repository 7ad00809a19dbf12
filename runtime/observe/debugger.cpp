// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/debugger.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace hpspmd::detail {
namespace {

/// The process that traces this one; 0: none.
int tracer() {
    std::ifstream status("/proc/self/status");
    const std::string key = "TracerPid:";
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, key.size(), key) == 0) return std::atoi(line.c_str() + key.size());
    return 0;
}

}  // namespace

void waitForDebugger(int process) {
    const char* const wanted = std::getenv("HPSPMD_DEBUG_WAIT");
    if (wanted == nullptr || *wanted == 0) return;
    if (wanted != std::string("all") && wanted != std::to_string(process)) return;
    if (tracer() != 0) return;
#ifdef __linux__
    ::prctl(PR_SET_PTRACER,
            PR_SET_PTRACER_ANY);  // else only its parents may attach, on some systems
#endif
    std::cerr << "process " + std::to_string(process) + " waits for a debugger: gdb -p " +
                     std::to_string(::getpid()) + "\n"
              << std::flush;
    while (tracer() == 0) ::usleep(50'000);
}

}  // namespace hpspmd::detail
