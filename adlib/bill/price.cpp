// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/price.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <hpspmd/active.hpp>
#include <map>
#include <vector>

#include "cost/survey.hpp"
#include "cost/work.hpp"
#include "plan/layout.hpp"
#include "plan/operations.hpp"
#include "plan/pairing.hpp"
#include "plan/scan.hpp"
#include "transport/combine.hpp"

namespace hpspmd::bill {
namespace {

using detail::Descriptor;
namespace plan = detail::plan;

/// Of P processes at most so many are planned one by one.
constexpr int mostPlanned = 4096, sample = 64;

int rounds(int size) { return static_cast<int>(std::bit_width(static_cast<unsigned>(size))) - 1; }

/// Between processes that are far from each other.
double secondsFor(double messages, double bytes, const Adlib::Machine& machine) {
    const double one = messages > 0 ? bytes / messages : 0;
    return messages * detail::cost::messageSeconds(0, apg().size() - 1, one, machine);
}

/// Exchanges by halves, over a power of two of places: what all send on the way down, which is
/// what they send on the way back.
void addHalves(Price& price, Index count, double elementSize, int places) {
    std::map<Index, double> wholes = {{count, 1}};  // with how many of them there are
    double sharing = places;                        // places with the same whole
    for (; sharing > 1; sharing /= 2) {
        std::map<Index, double> halves;
        for (const auto& [whole, number] : wholes) {
            for (const Index half : {whole / 2, whole - whole / 2}) {
                halves[half] += number;
                if (half > 0) price.messages += number * sharing / 2 * 2;
                price.bytes += number * sharing / 2 * 2 * static_cast<double>(half) * elementSize;
            }
        }
        wholes = std::move(halves);
    }
}

/// As transport::combine does it.
Price combinePrice(int size, std::size_t elementSize, std::size_t count,
                   const Adlib::Machine& machine) {
    Price price;
    const int places = 1 << rounds(size), pairs = size - places;
    const double bytes = static_cast<double>(elementSize) * static_cast<double>(count);
    const double pairMessages = 2.0 * pairs;
    const bool byHalves = detail::transport::isByHalves(elementSize, count);
    if (byHalves) {
        addHalves(price, static_cast<Index>(count), static_cast<double>(elementSize), places);
        price.mostMessages = 2 * rounds(size);
        price.mostBytes = std::min(2.0, static_cast<double>(rounds(size))) * bytes;
    } else {
        price.messages = static_cast<double>(places) * rounds(size);
        price.bytes = price.messages * bytes;
        price.mostMessages = rounds(size);
        price.mostBytes = price.mostMessages * bytes;
    }
    price.messages += pairMessages;
    price.bytes += pairMessages * bytes;
    price.mostMessages += pairs > 0;
    price.mostBytes += pairs > 0 ? bytes : 0;
    price.seconds = secondsFor(price.mostMessages + (pairs > 0), price.mostBytes, machine);
    return price;
}

/// As transport::broadcast does it.
Price broadcastPrice(int size, double bytes, const Adlib::Machine& machine) {
    const double levels = std::ceil(std::log2(static_cast<double>(size)));
    return {size - 1.0, (size - 1.0) * bytes, levels, levels * bytes,
            secondsFor(levels, levels * bytes, machine)};
}

/// Coordinates of a range that hold some of it.
double holdersOf(const Range& x) {
    if (detail::isCollapsed(x)) return x.size() > 0 ? 1 : 0;
    double holders = 0;
    for (int c = 0; c < static_cast<int>(x.dim().size()); ++c)
        holders += plan::blocksAt(x, c).empty() ? 0 : 1;
    return holders;
}

/// As plan::scan and LineScan do it: by doubling distance, a state for each line.
Price scanPrice(const Descriptor& array, int d, double stateBytes, const Adlib::Machine& machine) {
    // Recorded are blocks, which others are remapped to; on one process all are in sequence.
    if (!plan::isInSequence(array[d].range))
        throw NotKnown(
            "a scan in which no element moved does not tell of the way to blocks and back");
    const double holders = detail::isCollapsed(array[d].range) ? 1 : holdersOf(array[d].range);
    double steps = 0, sends = 0;  // by the members of a line together
    for (double distance = 1; distance < holders; distance *= 2, ++steps)
        sends += holders - distance;
    const double copies = plan::Layout(array).copies();
    double lines = copies, parts = copies, most = 1;  // parts: sets of lines with the same members
    for (int r = 0; r < array.rank; ++r) {
        if (r == d) continue;
        const Range& x = array[r].range;
        const double here = holdersOf(x);
        lines *= static_cast<double>(x.size());
        parts *= here;
        most *= here > 0 ? std::ceil(static_cast<double>(x.size()) / here) : 0;
    }
    Price price{sends * parts, sends * lines * stateBytes, steps, steps * most * stateBytes};
    price.seconds = secondsFor(price.mostMessages, price.mostBytes, machine);
    return price;
}

/// How many coordinates of a range hold so many locations.
std::map<Index, double> countsOf(const Range& x) {
    if (detail::isCollapsed(x)) return {{x.size(), 1}};
    std::map<Index, double> counts;
    for (int c = 0; c < static_cast<int>(x.dim().size()); ++c) {
        Index held = 0;
        for (const Block& block : plan::blocksAt(x, c)) held += block.count;
        ++counts[held];
    }
    return counts;
}

/// A reduction along d: each line of processes combines the results that it holds. `results` of
/// them at each place, together of `size` bytes; of several all travel as one value.
Price reducePrice(const Descriptor& array, int d, std::size_t size, std::size_t results,
                  const Adlib::Machine& machine) {
    const Range& along = array[d].range;
    const int members = detail::isCollapsed(along) ? 1 : static_cast<int>(along.dim().size());
    if (members == 1) return {};
    std::map<Index, double> places = {{1, plan::Layout(array).copies()}};  // with their lines
    for (int r = 0; r < array.rank; ++r) {
        if (r == d) continue;
        std::map<Index, double> more;
        for (const auto& [held, coordinates] : countsOf(array[r].range))
            for (const auto& [count, lines] : places) more[held * count] += coordinates * lines;
        places = std::move(more);
    }
    Price price;
    for (const auto& [count, lines] : places) {
        if (count == 0) continue;
        const auto number = static_cast<std::size_t>(count);
        const Price one = results == 1 ? combinePrice(members, size, number, machine)
                                       : combinePrice(members, size * number, 1, machine);
        price.messages += lines * one.messages;
        price.bytes += lines * one.bytes;
        price.mostMessages = std::max(price.mostMessages, one.mostMessages);
        price.mostBytes = std::max(price.mostBytes, one.mostBytes);
        price.seconds = std::max(price.seconds, one.seconds);
    }
    return price;
}

Price priceOf(const Adlib::Cost& cost) {
    const auto processes = static_cast<double>(cost.processes);
    return {std::round(cost.messages.mean * processes),
            std::round(cost.bytes.mean * processes),
            cost.messages.max,
            cost.bytes.max,
            cost.seconds,
            cost.isExact};
}

/// Ranges of different grid dimensions may have grown differently.
void requireSameExtents(const Descriptor& to, const Descriptor& from) {
    const auto extents = [](const Descriptor& array) {
        std::vector<Index> all;
        for (const detail::Map& map : array) all.push_back(map.range.size());
        std::sort(all.begin(), all.end());
        return all;
    };
    if (to.rank == from.rank && extents(to) != extents(from))
        throw NotKnown("scaled to that many processes, its arrays have different extents");
}

/// An operation on the arrays of a recorded plan, which must outlive it.
struct Made {
    std::vector<detail::Layouts> arrays;
    std::vector<Index> parameters;

    Made(const Json& text, const Elsewhere& elsewhere) : parameters(text.at("parameters")) {
        for (const Json& array : text.at("arrays")) arrays.push_back(elsewhere.array(array));
    }

    plan::Operation operation(const std::string& name) const {
        const Descriptor to = arrays.front().descriptor(), from = arrays.back().descriptor();
        requireSameExtents(to, from);
        if (name == "remap") return plan::remap(to, from);
        if (name == "shift")
            return plan::shift(to, from, parameters.at(0), static_cast<int>(parameters.at(1)),
                               parameters.at(2) != 0);
        if (name == "transpose")
            return plan::transpose(to, from, {parameters.begin(), parameters.end()});
        if (name != "writeHalo") throw NotKnown("there is no price for a " + name);
        std::vector<plan::HaloWidth> widths;
        for (std::size_t k = 0; k + 2 < parameters.size(); k += 3)
            widths.push_back({parameters[k], parameters[k + 1], parameters[k + 2] != 0});
        return plan::writeHalo(to, widths);
    }
};

bool isSeparable(const std::string& name) { return name == "writeHalo" || name == "shift"; }

Price planPrice(const Json& text, const Elsewhere& elsewhere, const Adlib::Machine& machine) {
    const std::string name = text.at("operation");
    const Made made(text, elsewhere);
    if (name == "scan")
        return scanPrice(made.arrays.front().descriptor(), static_cast<int>(made.parameters.at(0)),
                         text.at("size"), machine);
    if (name == "reduce")
        return reducePrice(made.arrays.front().descriptor(),
                           static_cast<int>(made.parameters.at(0)), text.at("size"),
                           text.at("values"), machine);
    return priceOf(
        detail::cost::survey(made.operation(name), isSeparable(name), text.at("size"), machine));
}

/// What one process sends and gets, by the other one.
struct Exchanged {
    std::map<int, double> sent, received;
};

Price jointPrice(const Json& text, const Elsewhere& elsewhere, const Adlib::Machine& machine) {
    std::vector<std::pair<plan::Operation, double>> parts;
    std::vector<Made> made;
    for (const Json& part : text.at("parts")) {
        made.emplace_back(part, elsewhere);
        parts.emplace_back(made.back().operation(part.at("operation")), part.at("size"));
    }
    const int processes = apg().size(), planned = processes <= mostPlanned ? processes : sample;
    Price price;
    for (int k = 0; k < planned; ++k) {
        const int process = static_cast<int>(Index{k} * processes / planned);
        Exchanged with;
        for (const auto& [operation, size] : parts) {
            const plan::Plan own = plan::planFor(operation, process);
            for (const plan::Message& message : own.sends)
                with.sent[message.peer] += static_cast<double>(message.count()) * size;
            for (const plan::Message& message : own.receives)
                with.received[message.peer] += static_cast<double>(message.count()) * size;
        }
        double bytes = 0, out = 0, in = 0;
        for (const auto& [peer, sent] : with.sent) {
            bytes += sent;
            out += detail::cost::messageSeconds(process, peer, sent, machine);
        }
        for (const auto& [peer, received] : with.received)
            in += detail::cost::messageSeconds(process, peer, received, machine);
        const auto messages = static_cast<double>(with.sent.size());
        price += {messages, bytes, 0, 0, 0};
        price.mostMessages = std::max(price.mostMessages, messages);
        price.mostBytes = std::max(price.mostBytes, bytes);
        price.seconds = std::max({price.seconds, out, in});
    }
    const double weight = static_cast<double>(processes) / planned;
    price.messages = std::round(price.messages * weight);
    price.bytes = std::round(price.bytes * weight);
    price.isExact = planned == processes;
    return price;
}

}  // namespace

Price& Price::operator+=(const Price& other) {
    messages += other.messages;
    bytes += other.bytes;
    mostMessages += other.mostMessages;
    mostBytes += other.mostBytes;
    seconds += other.seconds;
    isExact &= other.isExact;
    return *this;
}

Price Price::times(double executions, double groups) const {
    return {executions * groups * messages, executions * groups * bytes, executions * mostMessages,
            executions * mostBytes,         executions * seconds,        isExact};
}

Price priceOf(const Json& plan, const Elsewhere& elsewhere, const Adlib::Machine& machine) {
    const std::string kind = plan.at("kind");
    if (kind == "joint plan") return jointPrice(plan, elsewhere, machine);
    if (kind == "plan" || kind == "scan" || kind == "reduce")
        return planPrice(plan, elsewhere, machine);
    const int size = elsewhere.group(plan.at("group")).size();
    if (kind == "combine") return combinePrice(size, plan.at("size"), plan.at("values"), machine);
    if (kind == "broadcast") return broadcastPrice(size, plan.at("size"), machine);
    throw NotKnown("there is no price for a " + kind);
}

}  // namespace hpspmd::bill
