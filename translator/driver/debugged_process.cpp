// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "driver/debugger.hpp"
#include "driver/failure.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// The number that the launcher gives this process.
std::string ownNumber() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
        if (const char* value = std::getenv(name)) return value;
    // Without MPI: memory:number:size.
    const char* const value = std::getenv("HPSPMD_NODE_JOB");
    const std::string job = value ? value : ":0:";
    const size_t first = job.find(':') + 1;
    return job.substr(first, job.find(':', first) - first);
}

/// Of this thread, which is stopped from then on until gdb lets it go on: that one has attached to
/// the first thread only does not mean that it has attached to all.
bool isTraced() {
    std::ifstream status("/proc/thread-self/status");
    const std::string key = "TracerPid:\t";
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key)) return line != key + "0";
    return false;
}

void waitForDebugger(const fs::path& folder, const std::string& number) {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // else only its parents may, on some systems
    const fs::path unfinished = folder / ("unfinished." + number);
    std::ofstream(unfinished) << ::getpid() << '\n';
    std::error_code error;
    fs::rename(unfinished, folder / number, error);
    while (!isTraced()) {
        if (!fs::exists(folder, error)) std::exit(static_cast<int>(ExitCode::SourceError));
        ::usleep(20'000);
    }
}

/// A port of this host that nobody uses; 0: none.
int freePort() {
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool isBound = file >= 0 && ::bind(file, any, size) == 0;
    const bool isKnown = isBound && ::getsockname(file, any, &size) == 0;
    ::close(file);
    return isKnown ? ::ntohs(address.sin_port) : 0;
}

/// gdbserver has no password: only users of this host reach it.
Command served(const std::string& number, const Command& program) {
    const int port = freePort();
    if (port == 0) throw Failure(ExitCode::SourceError, "no port for gdbserver");
    std::array<char, HOST_NAME_MAX + 1> host = {};
    ::gethostname(host.data(), host.size() - 1);
    Command debugger = debuggerCommand();
    const std::string target = fmt::format("target remote localhost:{}", port);
    // Libraries are those of this host, not copies that come through the port.
    debugger.insert(debugger.end(), {"-ex", "set sysroot /", "-ex", target, program[0]});
    std::cerr << fmt::format("process {} waits on {}: {}\n", number, host.data(),
                             shellLine(debugger))
              << std::flush;
    Command command{"gdbserver", "--once", fmt::format("localhost:{}", port)};
    command.insert(command.end(), program.begin(), program.end());
    return command;
}

}  // namespace

void becomeDebugged(const std::vector<std::string>& words) {
    if (words.size() < 3) throw Failure(ExitCode::Usage, "no program to debug");
    const std::string& how = words[0];
    const Command program(words.begin() + 2, words.end());
    const std::string number = ownNumber();
    const bool isWanted = words[1] == "all" || words[1] == number;
    if (isWanted && how == "serve") become(served(number, program));
    if (isWanted) waitForDebugger(how, number);
    become(program);
}

}  // namespace hpcc::driver
