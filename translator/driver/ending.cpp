// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/ending.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "threads/memory.hpp"
#include "threads/signal_stack.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

// What follows up to the handlers runs in handlers too: no memory is taken, nothing is locked.

struct Slot {
    std::array<char, PATH_MAX> path;
    std::atomic<bool> isTaken;
};
std::array<Slot, 16> slots;  // a few are in use at a time

std::atomic<pid_t> runningGroup = 0;
std::atomic<bool> isEnding = false;
std::atomic_flag isBusy;  ///< something is being made or finished

void sleepShortly() {
    const timespec time{0, 2'000'000};
    ::nanosleep(&time, nullptr);
}
constexpr int aboutTwoSeconds = 1000;

void removeAt(int folder, const char* name) {
    if (::unlinkat(folder, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
    const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) return;
    alignas(dirent64) std::array<char, 1024> entries;
    long bytes = 0;
    while ((bytes = ::syscall(SYS_getdents64, inner, entries.data(), entries.size())) > 0)
        for (long at = 0; at < bytes;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
            const char* own = entry->d_name;
            if (std::strcmp(own, ".") != 0 && std::strcmp(own, "..") != 0) removeAt(inner, own);
            at += entry->d_reclen;
        }
    ::close(inner);
    ::unlinkat(folder, name, AT_REMOVEDIR);
}

void removeAll() {
    for (Slot& slot : slots)
        if (slot.isTaken) removeAt(AT_FDCWD, slot.path.data());
}

/// Ends the command that runs and waits until none of its processes can write any more.
void endGroup(int signal) {
    const pid_t group = runningGroup;
    if (group <= 0) return;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // or who has ended is there until others wait for it
    ::kill(-group, signal);
    ::kill(-group, SIGCONT);
    for (int k = 0; k < aboutTwoSeconds; ++k) {
        while (::waitpid(-group, nullptr, WNOHANG) > 0) {
        }
        if (::kill(-group, 0) != 0) return;
        sleepShortly();
    }
    ::kill(-group, SIGKILL);
}

void cleanUp(int signal) {
    if (isEnding.exchange(true))
        while (true) ::pause();  // another thread is at it
    for (int k = 0; k < aboutTwoSeconds && isBusy.test(); ++k) sleepShortly();
    endGroup(signal);
    removeAll();
}

[[noreturn]] void endWith(ExitCode code, const char* message) {
    cleanUp(SIGTERM);
    [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, message, std::strlen(message));
    ::_exit(static_cast<int>(code));
}

void unblock(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void onEndingSignal(int signal) {
    cleanUp(signal);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    unblock(signal);
    ::_exit(128 + signal);
}

void onFault(int, siginfo_t* info, void*) {
    if (info->si_signo == SIGSEGV && threads::isEndOfStack(info->si_addr))
        endWith(ExitCode::SourceError,
                "hpcc: error: the source is nested too deeply for the stack that hpcc could get; "
                "raise the limits (ulimit -v, ulimit -s)\n");
    endWith(ExitCode::InternalError,
            info->si_signo == SIGABRT ? "hpcc: internal error: it has stopped itself\n"
                                      : "hpcc: internal error: it has accessed memory wrongly\n");
}

void onNoMemory() {
    endWith(ExitCode::SourceError,
            "hpcc: error: there is not enough memory; close other programs, raise the limits "
            "(ulimit -v), or divide the source\n");
}

constexpr std::array endingSignals = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                      SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};
constexpr std::array faults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// A terminal that stops background output would stop a command for ever.
constexpr std::array ignoredSignals = {SIGPIPE, SIGXFSZ, SIGTTOU};

sigset_t endingSet() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : endingSignals) sigaddset(&set, signal);
    return set;
}

sigset_t ignoredHere;

/// In such a section this thread gets no signal, and hpcc does not end on another one.
class Undisturbed {
public:
    Undisturbed() {
        const sigset_t set = endingSet();
        ::pthread_sigmask(SIG_BLOCK, &set, &before_);
        while (isBusy.test_and_set()) ::sched_yield();
        if (!isEnding) return;
        isBusy.clear();
        while (true) ::pause();
    }
    ~Undisturbed() {
        isBusy.clear();
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

    const sigset_t& before() const { return before_; }

private:
    sigset_t before_;
};

int takeSlot(const std::string& path) {
    if (path.size() >= PATH_MAX) return -1;
    for (size_t k = 0; k < slots.size(); ++k) {
        if (slots[k].isTaken) continue;
        std::memcpy(slots[k].path.data(), path.c_str(), path.size() + 1);
        slots[k].isTaken = true;
        return static_cast<int>(k);
    }
    throw std::logic_error("too many unfinished files");
}

void handle(int signal, const struct sigaction& action) {
    struct sigaction before;
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void watchTheEnd() {
    static const threads::SignalStack mainThread;
    threads::whenMemoryEnds(onNoMemory);
    struct sigaction action = {};
    action.sa_mask = endingSet();
    action.sa_handler = onEndingSignal;
    for (const int signal : endingSignals) handle(signal, action);
    sigemptyset(&ignoredHere);
    action.sa_handler = SIG_IGN;
    for (const int signal : ignoredSignals) {
        struct sigaction before;
        ::sigaction(signal, &action, &before);
        if (before.sa_handler != SIG_IGN) sigaddset(&ignoredHere, signal);
    }
#ifndef __SANITIZE_ADDRESS__  // which reports faults itself
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = onFault;
    for (const int signal : faults) handle(signal, action);
#endif
}

sigset_t ignoredOnlyHere() { return ignoredHere; }

int Unfinished::make(const fs::path& path, const std::function<int()>& create) {
    const std::string name = path.string();
    const Undisturbed section;
    slot_ = takeSlot(name);
    if (slot_ < 0) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int result = create();
    if (result < 0) {
        slots[slot_].isTaken = false;
        slot_ = -1;
    }
    return result;
}

int Unfinished::keep(const std::function<int()>& finish) {
    const Undisturbed section;
    const int result = finish();
    if (result != 0) return result;
    slots[slot_].isTaken = false;
    slot_ = -1;
    return result;
}

void Unfinished::remove() {
    if (slot_ < 0) return;
    const Undisturbed section;
    removeAt(AT_FDCWD, slots[slot_].path.data());
    slots[slot_].isTaken = false;
    slot_ = -1;
}

RunningCommand::RunningCommand(const std::function<int(pid_t&, const sigset_t& mask)>& start) {
    const Undisturbed section;
    error_ = start(leader_, section.before());
    if (error_ == 0) runningGroup = leader_;
}

RunningCommand::~RunningCommand() { exitStatus(); }

int RunningCommand::exitStatus() {
    if (leader_ == 0) return 0;
    int status = SIGKILL;  // if another has waited: hpcc is ending
    while (::waitpid(leader_, &status, 0) < 0 && errno == EINTR) {
    }
    const Undisturbed section;
    runningGroup = 0;
    leader_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace hpcc::driver
