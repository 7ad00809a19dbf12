// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/gathering.hpp"

#include "observe/ticks.hpp"
#include "transport/transport.hpp"

#include <sched.h>

#include <algorithm>

namespace hpspmd::detail {
namespace {

constexpr int recordTag = 3;

void complete(Request request) {
    while (!jobTransport().test(request, nullptr, {})) ::sched_yield();
}

void send(const void* data, std::size_t bytes, int process) {
    complete(jobTransport().send(Subject::Notes, data, bytes, process, recordTag, false, {}));
}

void receive(void* to, std::size_t bytes, int process) {
    complete(jobTransport().receive(Subject::Notes, to, bytes, process, recordTag, {}));
}

std::int64_t differenceTo(int process) {
    std::vector<ClockAnswer> answers(8);
    for (ClockAnswer& answer : answers) {
        answer.asked = nanoseconds();
        send(&answer.asked, sizeof answer.asked, process);
        receive(&answer.other, sizeof answer.other, process);
        answer.answered = nanoseconds();
    }
    return clockDifference(answers);
}

void answerClock() {
    for (int k = 0; k < 8; ++k) {
        std::int64_t asked = 0;
        receive(&asked, sizeof asked, 0);
        const std::int64_t now = nanoseconds();
        send(&now, sizeof now, 0);
    }
}

}  // namespace

void gatherTexts(const std::string& own, const std::function<void(const std::string&)>& use) {
    std::uint64_t bytes = own.size();
    if (jobTransport().rank() != 0) {
        send(&bytes, sizeof bytes, 0);
        send(own.data(), own.size(), 0);
        return;
    }
    use(own);
    for (int process = 1; process < jobTransport().size(); ++process) {
        receive(&bytes, sizeof bytes, process);
        std::string text(static_cast<std::size_t>(bytes), '\0');
        receive(text.data(), text.size(), process);
        use(text);
    }
}

std::int64_t clockDifference(const std::vector<ClockAnswer>& answers) {
    const ClockAnswer& best = *std::min_element(
        answers.begin(), answers.end(),
        [](const auto& a, const auto& b) { return a.answered - a.asked < b.answered - b.asked; });
    const std::int64_t error = (best.answered - best.asked) / 2;
    const std::int64_t difference = best.other - (best.asked + error);
    return difference > error || difference < -error ? difference : 0;
}

std::int64_t sharedZero(std::int64_t start) {
    if (jobTransport().rank() != 0) {
        answerClock();
        send(&start, sizeof start, 0);
        receive(&start, sizeof start, 0);
        return start;
    }
    std::vector<std::int64_t> differences(static_cast<std::size_t>(jobTransport().size()));
    std::int64_t zero = start;
    for (int process = 1; process < jobTransport().size(); ++process) {
        const std::int64_t difference = differenceTo(process);
        receive(&start, sizeof start, process);
        zero = std::min(zero, start - difference);
        differences[static_cast<std::size_t>(process)] = difference;
    }
    for (int process = 1; process < jobTransport().size(); ++process) {
        const std::int64_t own = zero + differences[static_cast<std::size_t>(process)];
        send(&own, sizeof own, process);
    }
    return zero;
}

}  // namespace hpspmd::detail
