// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Jobs of a program, run by the shell.

#include <sys/wait.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hpspmd::test {

struct Outcome {
    int exitCode;
    double seconds;  ///< the start of the job included
    std::string output;
};

/// The shell command's exit code, and what it wrote on stdout and stderr.
inline Outcome run(const std::string& command) {
    using Clock = std::chrono::steady_clock;
    Outcome outcome{-1, 0, ""};
    const auto start = Clock::now();
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer;
    while (std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), n);
    outcome.exitCode = WEXITSTATUS(::pclose(pipe));
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return outcome;
}

/// The environment variable LAUNCHER, if set, names another one than MPI's.
inline std::string launcher() {
    const char* const value = std::getenv("LAUNCHER");
    return value == nullptr ? MPIEXEC : value;
}

/// PROGRAM with these arguments; `prefix`: variables of its environment, or a command before it.
inline Outcome runJob(const std::string& arguments, int processes, const std::string& prefix = "") {
    return run("env HWLOC_COMPONENTS=-pci,-opencl " + prefix + " timeout 30 " + launcher() +
               " -n " + std::to_string(processes) + " " PROGRAM " " + arguments);
}

/// The same; one that takes longer than `atMost` seconds runs again, twice if need be, as the
/// machine may be busy.
inline Outcome runJobSoon(double atMost, const std::string& arguments, int processes,
                          const std::string& prefix = "") {
    Outcome outcome = runJob(arguments, processes, prefix);
    for (int again = 0; again < 2 && outcome.seconds > atMost; ++again)
        outcome = runJob(arguments, processes, prefix);
    return outcome;
}

inline std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// A wrong job has ended by then: found within 2 s; the rest is for its start on a busy machine.
constexpr double soon = 4;

}  // namespace hpspmd::test
