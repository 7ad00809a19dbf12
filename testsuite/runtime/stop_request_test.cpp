// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Requests to stop: the first is noted, one that follows at once is the same, a later one ends the
/// process.

#include <gtest/gtest.h>

#include "stop_request.hpp"

#include <csignal>

#include <unistd.h>

namespace hpspmd::test {
namespace {

constexpr int reachedTheEnd = 42;

[[noreturn]] void isAskedTwice(int signal, unsigned secondsBetween) {
    detail::noteStopRequests();
    detail::noteStopRequests();  // a second checkpoint changes nothing
    if (detail::stopRequest() != 0) ::_exit(1);
    ::raise(signal);
    if (detail::stopRequest() != signal) ::_exit(2);
    for (unsigned left = secondsBetween; left > 0;) left = ::sleep(left);
    ::raise(signal);
    ::_exit(reachedTheEnd);
}

TEST(StopRequestDeathTest, ASignalThatIsSentTwiceIsOneRequest) {
    for (const int signal : {SIGTERM, SIGUSR1})
        EXPECT_EXIT(isAskedTwice(signal, 0), testing::ExitedWithCode(reachedTheEnd), "");
}

TEST(StopRequestDeathTest, ALaterSignalEndsTheProcess) {
    EXPECT_EXIT(isAskedTwice(SIGTERM, detail::secondsOfOneRequest),
                testing::KilledBySignal(SIGTERM), "");
}

TEST(StopRequestDeathTest, AHandlerThatIsThereIsCalledEachTime) {
    const auto asked = [] {
        std::signal(SIGUSR1, [](int) {
            static int calls = 0;
            if (++calls == 2) ::_exit(7);
        });
        isAskedTwice(SIGUSR1, 0);
    };
    EXPECT_EXIT(asked(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace hpspmd::test
