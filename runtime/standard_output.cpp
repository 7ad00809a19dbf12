// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "standard_output.hpp"

#include "job.hpp"

#include <hpspmd/error.hpp>

#include <poll.h>
#include <unistd.h>

#include <sys/statvfs.h>

#ifdef __GLIBC__
#include <stdio_ext.h>
#endif

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

namespace hpspmd::detail {
namespace {

std::atomic<bool> isIgnored = false;

std::string lostText(int error) {
    return std::string("standard output cannot be written: ") +
           (error == 0 ? "some of it is lost" : std::strerror(error));
}

bool isBroken(int file) {
    pollfd output{file, POLLOUT, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

// Why a write failed that somebody else made; 0: unknown.
int reason() {
    struct statvfs disk;
    if (isBroken(STDOUT_FILENO)) return EPIPE;
    if (::fstatvfs(STDOUT_FILENO, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0)
        return ENOSPC;
    return ::write(STDOUT_FILENO, "", 0) < 0 ? errno : 0;
}

// Whoever reads our output has gone. A write to another closed pipe has the usual end.
void onClosedPipe(int signal) {
    if (isBroken(STDOUT_FILENO)) {
        const IoError error(lostText(EPIPE), {});
        endJob(error.what(), error.exitCode());
    }
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

// What is printed behind the end of the environment, or without one. A status other than 0 is left:
// it tells of another problem.
void checkLast(int status) {
    const std::string problem = flushedOutput();
    if (problem.empty() || isIgnored) return;
    const IoError error(problem, {});
    std::fprintf(stderr, "%s\n", error.what());
    ::_exit(status == 0 ? error.exitCode() : status);
}

// Before all other initialization, so that it runs behind all that others have registered.
#ifdef __GLIBC__
[[gnu::constructor(101)]] void checkAtExit() {
    ::on_exit([](int status, void*) { checkLast(status); }, nullptr);
}
#else
[[gnu::constructor]] void checkAtExit() {
    std::atexit([] { checkLast(0); });
}
#endif

}  // namespace

WithoutSignal::WithoutSignal() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
}

WithoutSignal::~WithoutSignal() { ::sigaction(SIGPIPE, &before_, nullptr); }

std::string flushedOutput() {
    const WithoutSignal here;
    errno = 0;
    bool written = std::fflush(stdout) == 0;
    if (std::streambuf* const buffer = std::cout.rdbuf()) {
        // Without sync_with_stdio it writes itself, and notes what failed in the stream only.
        const bool isApart = dynamic_cast<std::filebuf*>(buffer) != nullptr;
        written &= buffer->pubsync() != -1 && !(isApart && std::cout.bad());
    }
    const int error = errno;
    if (written && std::ferror(stdout) == 0) return "";
    return lostText(error == 0 ? reason() : error);
}

void forgetLostOutput() {
#ifdef __GLIBC__
    ::__fpurge(stdout);
#endif
    std::clearerr(stdout);
    std::cout.clear();
}

void ignoreLostOutput() {
    isIgnored = true;
    std::signal(SIGPIPE, SIG_IGN);
}

void watchOutput() {
    struct sigaction current;
    if (::sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL)
        std::signal(SIGPIPE, onClosedPipe);
}

}  // namespace hpspmd::detail
