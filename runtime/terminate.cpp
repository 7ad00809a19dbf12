// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What happens to an error that nobody catches: it ends the whole job, with a message and a
/// documented exit code.

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>

#include "call_place.hpp"
#include "compose.hpp"
#include "device/checked_launches.hpp"
#include "fork.hpp"
#include "job.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>

namespace hpspmd::detail {
namespace {

struct Report {
    std::string text;
    int exitCode;
};

// The stack is as it was where the exception was thrown: no handler was found, so nothing is
// unwound.
Report placed(std::string text) {
    const CallPlace place = callPlace();
    if (!place.function.empty()) text += ", thrown in " + place.function;
    if (place.line > 0) text = compose(place.file, ":", place.line, ": ", text);
    return {text, otherErrorCode};
}

Report reportOf(const std::exception_ptr& exception) {
    const std::string rank = ownRank() >= 0 ? compose("rank ", ownRank(), ": ") : "";
    if (!exception) return placed(rank + "std::terminate was called");
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return {error.what(), error.exitCode()};
    } catch (const std::exception& error) {
        return placed(rank + "uncaught exception: " + error.what());
    } catch (...) {
        return placed(rank + "uncaught exception");
    }
}

// What a kernel has found before, but nobody has looked at, comes first.
Report firstReport() {
    constexpr double patience = 1;
    const Report report = reportOf(std::current_exception());
    try {
        requireFittingWithin(patience);
    } catch (const Error& error) {
        return {error.what(), error.exitCode()};
    }
    return report;
}

// Nothing is unwound and no destructor runs. If all processes fail alike, process 0 should be the
// one that reports: the others give it time to end the job.
[[noreturn]] void endByError() {
    static std::atomic<bool> ending = false;
    if (ending.exchange(true)) ::pause();  // another thread is at it
    const Report report = firstReport();
    if (ownRank() > 0 && !forks::isChild()) ::usleep(200'000);
    endJob(report.text, report.exitCode);
}

}  // namespace

void installTerminateHandler() {
    static const std::terminate_handler previous = std::set_terminate(endByError);
    static_cast<void>(previous);
}

}  // namespace hpspmd::detail
