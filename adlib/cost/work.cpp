// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/work.hpp"

#include <algorithm>
#include <cstdlib>

namespace hpspmd::detail::cost {
namespace {

constexpr double line = 64;  ///< bytes of a cache line

/// The dimension along which neighbours lie closest to each other in a place, and how far apart in
/// elements; 0 without neighbours.
struct Fastest {
    std::size_t dimension = 0;
    Index step = 0;
};
template <int K>
Fastest fastestOf(const plan::Product<K>& elements, std::size_t place) {
    Fastest fastest;
    for (std::size_t r = 0; r < elements.dims.size(); ++r)
        for (const plan::Run<K>& run : elements.dims[r]) {
            const Index step = std::abs(run.step[place]);
            if (run.count > 1 && (fastest.step == 0 || step < fastest.step)) fastest = {r, step};
        }
    return fastest;
}

/// Bytes of the cache lines that an element needs, for each of its own.
double touched(const Fastest& fastest, double elementSize) {
    return std::clamp(static_cast<double>(fastest.step), 1.0, std::max(line / elementSize, 1.0));
}

/// Seconds by which bytes take longer if rows become columns.
double turningSeconds(double bytes, const Adlib::Machine& machine) {
    if (machine.turnedBandwidth == 0) return 0;
    return std::max(0.0, bytes / machine.turnedBandwidth - bytes / machine.copyBandwidth);
}

double copySeconds(const plan::Copy& copy, double elementSize, const Adlib::Machine& machine) {
    const Fastest to = fastestOf(copy, 0), from = fastestOf(copy, 1);
    const double bytes = static_cast<double>(copy.count()) * elementSize *
                         (touched(to, elementSize) + touched(from, elementSize)) / 2;
    return bytes / machine.copyBandwidth +
           (to.dimension == from.dimension ? 0 : turningSeconds(bytes, machine));
}

/// A message that its receiver reads in the sender's memory: the lines there count.
double readSeconds(const plan::Message& message, double elementSize,
                   const Adlib::Machine& machine) {
    double seconds = machine.nodeLatency;
    for (const plan::Copy& copy : message.copies) {
        const Fastest to = fastestOf(copy, 0), from = fastestOf(copy, 1);
        const double bytes = static_cast<double>(copy.count()) * elementSize;
        seconds += bytes * touched(from, elementSize) / machine.nodeBandwidth;
        if (to.dimension != from.dimension) seconds += turningSeconds(bytes, machine);
    }
    return seconds;
}

/// What it takes more to pack or unpack a message, as elements lie in lines of their own.
double loneSeconds(const plan::Message& message, double elementSize,
                   const Adlib::Machine& machine) {
    const double most = std::max(line / elementSize, 1.0);
    double seconds = 0;
    for (const plan::Region& region : message.regions) {
        const double lines = touched(fastestOf(region, 0), elementSize);
        if (most > 1)
            seconds += static_cast<double>(region.count()) * machine.loneLatency * (lines - 1) /
                       (most - 1);
    }
    return seconds;
}

bool isWithinNode(int one, int other, const Adlib::Machine& machine) {
    const int cores = static_cast<int>(machine.coresPerNode);
    return one / cores == other / cores;
}

/// Seconds for one side of a process's messages. What others read here costs them, not us.
double secondsOf(const std::vector<plan::Message>& messages, int process, double elementSize,
                 const Adlib::Machine& machine) {
    double seconds = 0;
    for (const plan::Message& message : messages) {
        const bool isNear = isWithinNode(process, message.peer, machine);
        const bool isRead = message.isReadable() && isNear;
        if (!isRead)
            seconds += messageSeconds(process, message.peer,
                                      static_cast<double>(message.count()) * elementSize, machine);
        else if (!message.copies.empty())
            seconds += readSeconds(message, elementSize, machine);
        if (!isRead && isNear) seconds += loneSeconds(message, elementSize, machine);
    }
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
    if (!isWithinNode(one, other, machine))
        return machine.latency + bytes * static_cast<int>(machine.coresPerNode) / machine.bandwidth;
    return machine.nodeLatency +
           bytes / (machine.packedBandwidth > 0 ? machine.packedBandwidth : machine.nodeBandwidth);
}

Work workOf(const plan::Plan& plan, int process, double elementSize,
            const Adlib::Machine& machine) {
    Work work;
    work.messages = static_cast<double>(plan.sends.size());
    for (const plan::Message& message : plan.sends)
        work.sent += static_cast<double>(message.count()) * elementSize;
    work.seconds = std::max(secondsOf(plan.sends, process, elementSize, machine),
                            secondsOf(plan.receives, process, elementSize, machine));
    for (const plan::Copy& copy : plan.copies) {
        work.copied += static_cast<double>(copy.count()) * elementSize;
        work.seconds += copySeconds(copy, elementSize, machine);
    }
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
