#include "driver/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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

[[noreturn]] void startFailure(const Command& command, int error) {
    throw Failure(ExitCode::ToolchainMissing,
                  fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));
}

/// While a command runs, ctrl-C is meant for it: it ends, and we live on to remove what is
/// unfinished.
class IgnoredInterrupts {
public:
    IgnoredInterrupts() {
        struct sigaction ignore = {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGINT, &ignore, &before_);
    }
    ~IgnoredInterrupts() { ::sigaction(SIGINT, &before_, nullptr); }
    IgnoredInterrupts(const IgnoredInterrupts&) = delete;
    IgnoredInterrupts& operator=(const IgnoredInterrupts&) = delete;

    /// Starts a command that ctrl-C ends; 0 or an error number.
    int spawn(pid_t& child, std::vector<char*>& words,
              const posix_spawn_file_actions_t* actions) const {
        posix_spawnattr_t attributes;
        sigset_t interrupt;
        sigemptyset(&interrupt);
        if (before_.sa_handler != SIG_IGN) sigaddset(&interrupt, SIGINT);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setsigdefault(&attributes, &interrupt);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        const int error =
            ::posix_spawnp(&child, words[0], actions, &attributes, words.data(), environ);
        ::posix_spawnattr_destroy(&attributes);
        return error;
    }

private:
    struct sigaction before_;
};

int exitStatus(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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

}  // namespace

std::string shellLine(const Command& command) {
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

int run(const Command& command) {
    std::vector<char*> words = argumentVector(command);
    const IgnoredInterrupts ignored;
    pid_t child = 0;
    if (const int error = ignored.spawn(child, words, nullptr)) startFailure(command, error);
    return exitStatus(child);
}

int run(const Command& command, std::string& errors) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) startFailure(command, errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> words = argumentVector(command);
    const IgnoredInterrupts ignored;
    pid_t child = 0;
    const int error = ignored.spawn(child, words, &actions);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error == 0) readAll(ends[0], errors);
    ::close(ends[0]);
    if (error != 0) startFailure(command, error);
    return exitStatus(child);
}

std::string outputOf(const Command& command) {
    std::FILE* pipe = ::popen((shellLine(command) + " 2>&1").c_str(), "r");
    if (!pipe) return {};
    std::string text;
    std::array<char, 4096> chunk;
    while (const size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
        text.append(chunk.data(), count);
    }
    return ::pclose(pipe) == 0 ? text : std::string();
}

void become(const Command& command) {
    std::vector<char*> words = argumentVector(command);
    ::execvp(words[0], words.data());
    startFailure(command, errno);
}

}  // namespace hpcc::driver
