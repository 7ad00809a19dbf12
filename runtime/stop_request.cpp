// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stop_request.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

#include <time.h>

namespace hpspmd::detail {
namespace {

volatile std::sig_atomic_t noted = 0;
struct sigaction before[NSIG];
std::atomic<long> firstTime[NSIG];  ///< in ms; 0: not yet

long milliseconds() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000 * static_cast<long>(now.tv_sec) + now.tv_nsec / 1'000'000 + 1;
}

bool isAskedAgain(int signal) {
    const long now = milliseconds();
    long first = 0;
    return !firstTime[signal].compare_exchange_strong(first, now) &&
           now - first >= 1000 * secondsOfOneRequest;
}

void note(int signal, siginfo_t* info, void* context) {
    noted = signal;
    const struct sigaction& other = before[signal];
    if ((other.sa_flags & SA_SIGINFO) != 0) {
        other.sa_sigaction(signal, info, context);
    } else if (other.sa_handler != SIG_DFL) {
        other.sa_handler(signal);
    } else if (isAskedAgain(signal)) {
        ::sigaction(signal, &other, nullptr);
        ::raise(signal);  // at the end of this handler
    }
}

}  // namespace

void noteStopRequests() {
    for (const int signal : {SIGTERM, SIGUSR1}) {
        struct sigaction current = {};
        if (::sigaction(signal, nullptr, &current) != 0) continue;
        const bool hasInfo = (current.sa_flags & SA_SIGINFO) != 0;
        if (hasInfo ? current.sa_sigaction == note : current.sa_handler == SIG_IGN) continue;
        before[signal] = current;
        struct sigaction action = {};
        action.sa_sigaction = note;
        action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
        ::sigaction(signal, &action, nullptr);
    }
}

int stopRequest() { return noted; }

}  // namespace hpspmd::detail
