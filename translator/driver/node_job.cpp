// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/node_job.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/failure.hpp"

namespace hpcc::driver {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What the processes write at the start of their memory (runtime/transport/rings.hpp).
struct Head {
    int exitCode = 0;  ///< 1 + that of a process that ends the job
    int started = 0, finished = 0;
};

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array told = {SIGUSR1, SIGUSR2};  // signals that the processes are to get, too
/// How long processes may go on once the job is to end: to say something, to tidy up.
constexpr milliseconds patience{2500};
/// The same, once one of them has been ended by a signal or has ended the job.
constexpr milliseconds shortPatience{1000};

class NodeJob {
public:
    explicit NodeJob(int processes);
    ~NodeJob() { ::close(memory_); }
    NodeJob(const NodeJob&) = delete;
    NodeJob& operator=(const NodeJob&) = delete;

    void start(const Command& command);
    int waitForAll();

private:
    [[noreturn]] void become(const Command& command, int rank, int report) const;
    void reap();
    void noteEnd(int rank, int status);
    void endWithin(milliseconds limit);
    void requireAllFinished();
    int exitCodeOfJob() const;
    void signalAll(int signal) const;

    Head head() const;

    int memory_;
    std::vector<pid_t> running_;  ///< by rank; 0: has ended
    int ended_ = 0;               ///< so many have ended
    sigset_t awaited_, before_;
    std::optional<int> firstCode_;
    std::optional<Clock::time_point> deadline_;
};

NodeJob::NodeJob(int processes)
    : memory_(::memfd_create("hpspmd-job", 0)), running_(static_cast<size_t>(processes)) {
    if (memory_ < 0)
        throw Failure(ExitCode::ToolchainMissing,
                      fmt::format("no memory for the job: {}", std::strerror(errno)));
    ::sigemptyset(&awaited_);
    ::sigaddset(&awaited_, SIGCHLD);
    for (const int signal : ending) ::sigaddset(&awaited_, signal);
    for (const int signal : told) ::sigaddset(&awaited_, signal);
    ::sigprocmask(SIG_BLOCK, &awaited_, &before_);
}

/// A process tells through a pipe why it could not become the command.
void NodeJob::start(const Command& command) {
    std::array<int, 2> report{};
    if (::pipe2(report.data(), O_CLOEXEC) != 0)
        throw Failure(ExitCode::ToolchainMissing, fmt::format("pipe: {}", std::strerror(errno)));
    int error = 0;
    for (size_t rank = 0; rank < running_.size() && error == 0; ++rank) {
        const pid_t child = ::fork();
        if (child == 0) become(command, static_cast<int>(rank), report[1]);
        if (child < 0)
            error = errno;
        else
            running_[rank] = child;
    }
    ::close(report[1]);
    int reason = 0;
    if (::read(report[0], &reason, sizeof reason) == sizeof reason) error = reason;
    ::close(report[0]);
    if (error == 0) return;
    signalAll(SIGKILL);
    for (const pid_t child : running_)
        if (child > 0) ::waitpid(child, nullptr, 0);
    throw Failure(ExitCode::ToolchainMissing,
                  fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));
}

void NodeJob::become(const Command& command, int rank, int report) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string job = fmt::format("{}:{}:{}", memory_, rank, running_.size());
    ::setenv("HPSPMD_NODE_JOB", job.c_str(), 1);
    if (const int none = rank == 0 ? -1 : ::open("/dev/null", O_RDONLY); none >= 0) {
        ::dup2(none, STDIN_FILENO);
        ::close(none);
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    const int error = errno;
    static_cast<void>(!::write(report, &error, sizeof error));
    ::_exit(127);
}

int NodeJob::waitForAll() {
    reap();
    while (std::ranges::any_of(running_, [](pid_t child) { return child != 0; })) {
        constexpr timespec moment = {0, 100'000'000};
        const int signal = ::sigtimedwait(&awaited_, nullptr, &moment);
        if (std::ranges::find(ending, signal) != ending.end()) {
            firstCode_ = firstCode_.value_or(128 + signal);
            signalAll(deadline_ ? SIGKILL : signal);  // the first one was not enough
            endWithin(patience);
        }
        if (std::ranges::find(told, signal) != told.end()) signalAll(signal);
        reap();
        if (deadline_ && Clock::now() > *deadline_) signalAll(SIGKILL);
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    return exitCodeOfJob() != 0 ? exitCodeOfJob() : firstCode_.value_or(0);
}

void NodeJob::reap() {
    for (size_t rank = 0; rank < running_.size(); ++rank) {
        int status = 0;
        if (running_[rank] == 0 || ::waitpid(running_[rank], &status, WNOHANG) != running_[rank])
            continue;
        running_[rank] = 0;
        ++ended_;
        noteEnd(static_cast<int>(rank), status);
    }
    if (exitCodeOfJob() != 0 && !deadline_) signalAll(SIGKILL);
    requireAllFinished();
}

/// The others would wait for a process that has left without a word, or that never came.
void NodeJob::requireAllFinished() {
    const Head now = head();
    if (deadline_ || now.exitCode != 0 || now.started == 0 || ended_ <= now.finished) return;
    const auto left = std::ranges::find(running_, 0) - running_.begin();
    std::cerr << fmt::format("hpcc run: process {} left before the end of the job\n", left);
    firstCode_ = firstCode_.value_or(1);
    endWithin(shortPatience);
}

void NodeJob::noteEnd(int rank, int status) {
    if (WIFEXITED(status)) {
        if (WEXITSTATUS(status) != 0) firstCode_ = firstCode_.value_or(WEXITSTATUS(status));
        return;
    }
    const int signal = WTERMSIG(status);
    if (!deadline_ && exitCodeOfJob() == 0)
        std::cerr << fmt::format("hpcc run: process {} was ended by signal {} ({})\n", rank, signal,
                                 ::strsignal(signal));
    firstCode_ = firstCode_.value_or(128 + signal);
    endWithin(shortPatience);
}

void NodeJob::endWithin(milliseconds limit) {
    deadline_ = std::min(deadline_.value_or(Clock::time_point::max()), Clock::now() + limit);
}

/// The exit code that a process has given to the job; 0 if none has.
int NodeJob::exitCodeOfJob() const { return std::max(head().exitCode - 1, 0); }

Head NodeJob::head() const {
    Head head;
    return ::pread(memory_, &head, sizeof head, 0) == sizeof head ? head : Head();
}

void NodeJob::signalAll(int signal) const {
    for (const pid_t child : running_)
        if (child > 0) ::kill(child, signal);
}

}  // namespace

int runOnNode(const Command& command, int processes) {
    NodeJob job(processes);
    job.start(command);
    return job.waitForAll();
}

}  // namespace hpcc::driver
