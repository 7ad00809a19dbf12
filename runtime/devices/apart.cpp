// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/apart.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace hpspmd::devices {
namespace {

using Clock = std::chrono::steady_clock;

/// What comes out of the pipe until it is closed, or the time is over; false for the latter.
bool readAll(int pipe, Clock::time_point end, std::string& text) {
    std::array<char, 4096> piece{};
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd wanted{pipe, POLLIN, 0};
        const int ready = left > 0 ? ::poll(&wanted, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t length = ::read(pipe, piece.data(), piece.size());
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) return true;
        text.append(piece.data(), static_cast<std::size_t>(length));
    }
}

[[noreturn]] void answer(int pipe, std::vector<Device> (*find)()) {
    const std::string text = textOf(find());
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t length = ::write(pipe, text.data() + done, text.size() - done);
        if (length <= 0) break;
        done += static_cast<std::size_t>(length);
    }
    ::_exit(0);
}

}  // namespace

std::vector<Device> apart(const std::string& name, std::vector<Device> (*find)(), int seconds) {
    const auto none = [&](const std::string& why) {
        return std::vector<Device>{{name, "", "", 0, 0, why}};
    };
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return none(std::strerror(errno));
    const pid_t child = ::fork();
    if (child < 0) return none(std::strerror(errno));
    if (child == 0) {
        ::close(pipe[0]);
        answer(pipe[1], find);
    }
    ::close(pipe[1]);
    std::string text;
    const bool isInTime = readAll(pipe[0], Clock::now() + std::chrono::seconds(seconds), text);
    ::close(pipe[0]);
    if (!isInTime) ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!isInTime) return none("the driver does not answer in " + std::to_string(seconds) + " s");
    if (WIFSIGNALED(status))
        return none(std::string("the driver crashes: ") + ::strsignal(WTERMSIG(status)));
    std::vector<Device> devices = devicesIn(text);
    return devices.empty() ? none("the driver ends the process that asks it") : devices;
}

}  // namespace hpspmd::devices
