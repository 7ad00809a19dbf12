// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "crash.hpp"

#include "call_place.hpp"
#include "compose.hpp"
#include "device/hidden_pages.hpp"
#include "job.hpp"
#include "last_words.hpp"
#include "watch/board.hpp"

#include <hpspmd/environment.hpp>

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ios>

namespace hpspmd::detail {
namespace {

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

pid_t watchedProcess = 0;
int processCount = 0;                // not known before the environment has started
alignas(64) char ownStack[1 << 17];  // where the program's stack is full

struct Who {
    std::array<char, 50> text = {};
};

Who ownName() {
    Who who;
    const auto write = [&](const char* form, auto... numbers) {
        std::snprintf(who.text.data(), who.text.size(), form, numbers...);
    };
    if (processCount > 0)
        write("process %d of %d", ownRank(), processCount);
    else if (ownRank() >= 0)
        write("process %d", ownRank());
    else
        write("%s", "the program");
    return who;
}

const char* nameOf(int signal) {
    switch (signal) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic error (division by zero, say)";
    case SIGILL:
        return "illegal instruction";
    default:
        return "abort";
    }
}

std::string causeOf(const siginfo_t& info) {
    std::string text = nameOf(info.si_signo);
    if (info.si_code == SI_USER && info.si_pid != watchedProcess)
        return text + compose(" (sent by process ", info.si_pid, " of the system)");
    if (info.si_signo == SIGSEGV || info.si_signo == SIGBUS)
        text += compose(" (address ", info.si_addr, ")");
    if (const std::string what = hiddenAt(info.si_addr); !what.empty())
        text +=
            compose(": elements of ", what, " have been reached at home without asking for them");
    return text;
}

std::string lastCollective() {
    const LastEntered& last = lastEntered;
    if (*last.name == 0) return "none";
    return compose(last.name, " at ", last.where.file, ":", last.where.line);
}

/// Where a call returns to that led to an address without code; null if it was no such call.
const void* jumpedFrom([[maybe_unused]] const siginfo_t& info, [[maybe_unused]] void* context) {
#if defined(__x86_64__)
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    if (info.si_signo == SIGSEGV && registers[REG_RIP] == reinterpret_cast<greg_t>(info.si_addr))
        return *reinterpret_cast<const void* const*>(registers[REG_RSP]);
#endif
    return nullptr;
}

void onCrash(int signal, siginfo_t* info, void* context) {
    ::signal(signal, SIG_DFL);  // a second one, in here, ends the process
    if (::getpid() != watchedProcess) {
        ::raise(signal);  // of a child its parent hears
        return;
    }
    std::array<char, 200> few = {};  // no heap: it may be locked, or damaged
    std::snprintf(few.data(), few.size(),
                  "%s: %s; the heap is damaged or locked, so that no more can be told\n",
                  ownName().text.data(), nameOf(signal));
    endLatestAfter(10, 128 + signal, few.data());
    const CallPlace place = callPlace(jumpedFrom(*info, context));
    std::string text = place.line > 0 ? compose(place.file, ":", place.line, ": ") : "";
    text += compose(ownName().text.data(), ": ", causeOf(*info));
    if (!place.function.empty()) text += " in " + place.function;
    text += "; last collective: " + lastCollective();
    if (place.line == 0) text += "; compiled with -g it would name the line";
    if (ownRank() > 0) ::usleep(200'000);  // where all crash, the first one says it
    endJob(text, 128 + signal);
}

/// Libraries below MPI and OpenCL that print a stack and lose the message.
constexpr std::array talkative = {"libucs.so", "libLLVM"};

bool isReplaced(const struct sigaction& handler) {
    if ((handler.sa_flags & SA_SIGINFO) == 0 && handler.sa_handler == SIG_DFL) return true;
    Dl_info owner = {};
    void* const address = (handler.sa_flags & SA_SIGINFO) != 0
                              ? reinterpret_cast<void*>(handler.sa_sigaction)
                              : reinterpret_cast<void*>(handler.sa_handler);
    if (::dladdr(address, &owner) == 0 || owner.dli_fname == nullptr) return false;
    return std::any_of(talkative.begin(), talkative.end(), [&](const char* library) {
        return std::strstr(owner.dli_fname, library) != nullptr;
    });
}

}  // namespace

// The program's static objects are made before the environment starts.
[[gnu::constructor(101)]] static void reportEarlyCrashes() {
    static const std::ios_base::Init streams;  // they are flushed before a process ends
    reportCrashes(0);
}

void reportCrashes(int processes) {
    processCount = processes;
    watchedProcess = ::getpid();
    void* frame = nullptr;
    ::backtrace(&frame, 1);  // loads what it needs now: later there may be no memory
    stack_t current = {};
    if (::sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        stack_t stack = {};
        stack.ss_sp = ownStack;
        stack.ss_size = sizeof ownStack;
        ::sigaltstack(&stack, nullptr);
    }
    takeCrashSignals();
}

void takeCrashSignals() {
    if (watchedProcess == 0) return;
    for (const int signal : signals) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) != 0 || !isReplaced(before)) continue;
        struct sigaction action = {};
        action.sa_sigaction = onCrash;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace hpspmd::detail
