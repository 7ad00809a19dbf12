// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <iostream>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/ending.hpp"
#include "driver/failure.hpp"

extern char** environ;

namespace hpcc::driver {
namespace {

std::string quoted(const std::string& word) {
    static const char* plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::vector<char*> argumentVector(const Command& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return words;
}

/// A command that is not there is no fault of the source; that the system can start none is not
/// the command's.
[[noreturn]] void startFailure(const Command& command, int error) {
    const bool isExhausted =
        error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE || error == E2BIG;
    throw Failure(isExhausted ? ExitCode::SourceError : ExitCode::ToolchainMissing,
                  fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));
}

/// Which becomes some of a command's streams.
struct Pipe {
    std::array<int, 2> ends = {-1, -1};

    explicit Pipe(const Command& command) {
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) startFailure(command, errno);
    }
    ~Pipe() {
        ::close(ends[0]);
        closeWritingEnd();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void closeWritingEnd() {
        if (ends[1] >= 0) ::close(ends[1]);
        ends[1] = -1;
    }
};

/// Starts the command, some of its streams being the pipe; 0 or an error number. Like hpcc, it is
/// told that nobody reads a pipe by a write that fails, so that it says something.
int spawn(pid_t& child, const Command& command, const sigset_t& mask, const Pipe* pipe,
          std::initializer_list<int> streams) {
    std::vector<char*> words = argumentVector(command);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : streams)
        ::posix_spawn_file_actions_adddup2(&actions, pipe->ends[1], stream);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigmask(&attributes, &mask);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    const int error =
        ::posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

void readAll(int descriptor, std::string& text) {
    std::array<char, 4096> chunk;
    while (true) {
        const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
        if (count > 0)
            text.append(chunk.data(), static_cast<size_t>(count));
        else if (count == 0 || errno != EINTR)
            return;
    }
}

/// Runs the command; what it writes to the streams goes into `text`.
int runWith(const Command& command, std::string& text, std::initializer_list<int> streams) {
    Pipe pipe(command);
    RunningCommand running([&](pid_t& child, const sigset_t& mask) {
        return spawn(child, command, mask, &pipe, streams);
    });
    pipe.closeWritingEnd();
    if (running.error() != 0) startFailure(command, running.error());
    readAll(pipe.ends[0], text);
    return running.exitStatus();
}

}  // namespace

std::string shellLine(const Command& command) {
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

int run(const Command& command) {
    RunningCommand running(
        [&](pid_t& child, const sigset_t& mask) { return start(child, command, mask); });
    if (running.error() != 0) startFailure(command, running.error());
    return running.exitStatus();
}

int run(const Command& command, std::string& errors) {
    return runWith(command, errors, {STDERR_FILENO});
}

std::string outputOf(const Command& command) {
    std::string text;
    try {
        return runWith(command, text, {STDOUT_FILENO, STDERR_FILENO}) == 0 ? text : std::string();
    } catch (const Failure& failure) {
        if (failure.code() != ExitCode::ToolchainMissing) throw;
        return {};
    }
}

int start(pid_t& child, const Command& command, const sigset_t& mask) {
    return spawn(child, command, mask, nullptr, {});
}

void runInForeground(const Command& command) {
    const auto onInterrupt = ::signal(SIGINT, SIG_IGN), onQuit = ::signal(SIGQUIT, SIG_IGN);
    const pid_t child = ::fork();
    if (child < 0) startFailure(command, errno);
    if (child == 0) {
        for (const int signal : {SIGINT, SIGQUIT}) ::signal(signal, SIG_DFL);
        try {
            become(command);
        } catch (const Failure& failure) {
            std::cerr << "hpcc: error: " << failure.what() << std::endl;
            ::_exit(static_cast<int>(failure.code()));
        }
    }
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::signal(SIGINT, onInterrupt);
    ::signal(SIGQUIT, onQuit);
}

void become(const Command& command) {
    std::vector<char*> words = argumentVector(command);
    const sigset_t ignored = ignoredOnlyHere();
    for (int signal = 1; signal < NSIG; ++signal)
        if (sigismember(&ignored, signal) == 1) ::signal(signal, SIG_DFL);
    ::execvp(words[0], words.data());
    startFailure(command, errno);
}

}  // namespace hpcc::driver
