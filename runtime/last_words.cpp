// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "last_words.hpp"

#include "standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>

namespace hpspmd::detail {
namespace {

// Immortal, as threads may be in here when the process ends.
struct LastWords {
    std::string text;
    std::array<char, 200> few = {};  // until there is the text
    volatile std::sig_atomic_t isToldElsewhere = 0;
    volatile std::sig_atomic_t exitCode = 0;
};

LastWords& lastWords() {
    alignas(LastWords) static std::array<char, sizeof(LastWords)> room;
    static auto& instance = *new (room.data()) LastWords;
    return instance;
}

// An abort may end the launcher before it has read what lies in the pipe, or passed it on.
void awaitReader(int pipe) {
    constexpr unsigned pause = 10'000, passing = 50'000;
    constexpr int mostPauses = 50;
    int unread = 0;
    for (int k = 0; k < mostPauses; ++k) {
        if (::ioctl(pipe, FIONREAD, &unread) != 0 || unread == 0) break;
        ::usleep(pause);
    }
    ::usleep(passing);
}

void writeOnStderr() {
    const std::string& text = lastWords().text;
    const char* const words = text.empty() ? lastWords().few.data() : text.data();
    if (::write(STDERR_FILENO, words, std::strlen(words)) > 0) awaitReader(STDERR_FILENO);
}

// True if somebody reads what is written there, or will soon.
bool isTaken(int file) {
    constexpr int milliseconds = 500;
    pollfd output{file, POLLOUT, 0};
    return ::poll(&output, 1, milliseconds) != 0;
}

// What is flushed from here on does not block, not even in exit(), which MPI_Abort may call.
void discardOutput() {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
}

// Closes what else leads into the pipe of this file.
void closeCopies(int file) {
    struct stat pipe = {}, other = {};
    if (::fstat(file, &pipe) != 0 || !S_ISFIFO(pipe.st_mode)) return;
    constexpr int mostFiles = 256;
    for (int copy = STDERR_FILENO + 1; copy < mostFiles; ++copy)
        if (::fstat(copy, &other) == 0 && other.st_dev == pipe.st_dev &&
            other.st_ino == pipe.st_ino)
            ::close(copy);
}

// A launcher that learns of the end of stdout, the end of the process, and the end of its PMI
// connection in this order answers 1, not the exit code (MPICH's hydra; it leaves copies of the
// pipes open in a process). So stdout ends first.
void endOutput() {
    closeCopies(STDOUT_FILENO);
    closeCopies(STDERR_FILENO);
    discardOutput();
}

// Asks MPICH's launcher for this exit code, as MPI_Abort does, but without the heap. A launcher
// that only sees the process end may answer with the signal by which it ends the others (9). It
// kills this process, too.
void askLauncherToAbort(int exitCode) {
    const char* const connection = std::getenv("PMI_FD");
    if (connection == nullptr) return;
    std::array<char, 40> words = {};
    const int length =
        std::snprintf(words.data(), words.size(), "cmd=abort exitcode=%d\n", exitCode);
    const auto size = static_cast<size_t>(length);
    if (::write(std::atoi(connection), words.data(), size) == length) ::sleep(1);
}

// Should stderr be blocked as well, the second alarm ends that.
void onAlarm(int) {
    if (!lastWords().isToldElsewhere) {
        lastWords().isToldElsewhere = 1;
        ::alarm(1);
        writeOnStderr();
    }
    askLauncherToAbort(lastWords().exitCode);
    std::_Exit(lastWords().exitCode);
}

}  // namespace

void endLatestAfter(unsigned seconds, int exitCode, const char* words) {
    lastWords().exitCode = exitCode;
    if (*words != 0) std::strncpy(lastWords().few.data(), words, lastWords().few.size() - 1);
    struct sigaction action = {};
    action.sa_handler = onAlarm;
    action.sa_flags = SA_NODEFER;
    ::sigaction(SIGALRM, &action, nullptr);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
    ::alarm(seconds);
}

void tellAtTheEnd(const std::string& text, int exitCode) {
    lastWords().text = text + "\n";
    endLatestAfter(2, exitCode);
    ignoreLostOutput();
    if (!isTaken(STDOUT_FILENO)) discardOutput();
    std::cout.flush();
    std::fflush(nullptr);
    lastWords().isToldElsewhere = 1;
    writeOnStderr();
    endOutput();
}

}  // namespace hpspmd::detail
