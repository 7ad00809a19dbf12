#include "driver/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

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
    int spawn(pid_t& child, std::vector<char*>& words) const {
        posix_spawnattr_t attributes;
        sigset_t interrupt;
        sigemptyset(&interrupt);
        if (before_.sa_handler != SIG_IGN) sigaddset(&interrupt, SIGINT);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setsigdefault(&attributes, &interrupt);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        const int error =
            ::posix_spawnp(&child, words[0], nullptr, &attributes, words.data(), environ);
        ::posix_spawnattr_destroy(&attributes);
        return error;
    }

private:
    struct sigaction before_;
};

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
    if (const int error = ignored.spawn(child, words)) startFailure(command, error);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
