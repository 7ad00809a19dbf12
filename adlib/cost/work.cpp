// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/work.hpp"

#include <algorithm>

namespace hpspmd::detail::cost {
namespace {

/// Seconds for one side of a process's messages.
double secondsOf(const std::vector<plan::Message>& messages, int process, double elementSize,
                 const Adlib::Machine& machine) {
    double seconds = 0;
    for (const plan::Message& message : messages)
        seconds += messageSeconds(process, message.peer,
                                  static_cast<double>(message.count()) * elementSize, machine);
    return seconds;
}

void include(Adlib::Spread& spread, double value, double weight, bool isFirst) {
    spread.min = isFirst ? value : std::min(spread.min, value);
    spread.max = isFirst ? value : std::max(spread.max, value);
    spread.mean += value * weight;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
    messages += other.messages;
    sent += other.sent;
    copied += other.copied;
    seconds += other.seconds;
    return *this;
}

double messageSeconds(int one, int other, double bytes, const Adlib::Machine& machine) {
    const int cores = static_cast<int>(machine.coresPerNode);
    return one / cores == other / cores ? machine.nodeLatency + bytes / machine.nodeBandwidth
                                        : machine.latency + bytes * cores / machine.bandwidth;
}

Work workOf(const plan::Plan& plan, int process, double elementSize,
            const Adlib::Machine& machine) {
    Work work;
    work.messages = static_cast<double>(plan.sends.size());
    for (const plan::Message& message : plan.sends)
        work.sent += static_cast<double>(message.count()) * elementSize;
    for (const plan::Copy& copy : plan.copies)
        work.copied += static_cast<double>(copy.count()) * elementSize;
    work.seconds = std::max(secondsOf(plan.sends, process, elementSize, machine),
                            secondsOf(plan.receives, process, elementSize, machine)) +
                   work.copied / machine.copyBandwidth;
    for (const plan::Plan& relay : plan.relays)
        work += workOf(relay, process, elementSize, machine);
    return work;
}

void include(Adlib::Cost& cost, const Work& work, double weight, bool isFirst) {
    include(cost.messages, work.messages, weight, isFirst);
    include(cost.bytes, work.sent, weight, isFirst);
    include(cost.copied, work.copied, weight, isFirst);
    cost.seconds = std::max(cost.seconds, work.seconds);
}

void includeInspector(Adlib::Cost& cost, const Work& work, double weight, bool isFirst) {
    include(cost.inspectorMessages, work.messages, weight, isFirst);
    include(cost.inspectorBytes, work.sent, weight, isFirst);
    cost.inspectorExchange = std::max(cost.inspectorExchange, work.seconds);
}

double memoryOf(const plan::Plan& plan) {
    double bytes = sizeof plan;
    const auto add = [&](const auto& product) {
        bytes += sizeof product;
        for (const auto& runs : product.dims)
            bytes += sizeof runs + static_cast<double>(runs.size() * sizeof runs[0]);
    };
    for (const auto* messages : {&plan.sends, &plan.receives})
        for (const plan::Message& message : *messages) {
            bytes += sizeof message;
            for (const plan::Region& region : message.regions) add(region);
        }
    for (const plan::Copy& copy : plan.copies) add(copy);
    for (const plan::Plan& relay : plan.relays) bytes += memoryOf(relay);
    return bytes;
}

}  // namespace hpspmd::detail::cost
