// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hpspmd-cost: what a collective costs on any process grid, up to 10^6 processes and more, without
// MPI. The arguments are explained by --help.
#include <adlib/indirect_cost.hpp>
#include <cstdio>
#include <hpspmd/procs.hpp>
#include <stdexcept>

#include "cost/machine.hpp"
#include "cost/words.hpp"

namespace {

using namespace hpspmd;
using detail::cost::fail, detail::cost::makeRanges, detail::cost::number, detail::cost::split;

constexpr const char* help = R"(usage: hpspmd-cost OPERATION GRID RANGE.. [options]

  OPERATION   writeHalo, shift, cshift, remap, gather, scatter, fence
  GRID        the process grid, 1000x1000
  RANGE       not for gather, scatter, fence; else one for each dimension of the array; dimension r is distributed over axis r of the grid:
                block:N  ext:N:LO:HI  cyclic:N  blockcyclic:N:B  star:N
  --to RANGE..       remap: the ranges of the destination (behind those of the source)
  --element BYTES    size of an element (8)
  --amount K         of a shift (1)
  --dimension D      of a shift (0)
  --partners K       gather, scatter, fence: each process turns to so many others, at equal
                     distances round all of them (1)
  --elements N       of each partner, at irregular places (1)
  --access A         fence: get, put, accumulate or fetchAdd, one to each partner (get)
  --rows R           fence: of how many rows the elements of an access consist (1)
  --machine FILE     prices in JSON: {"latency": 2e-6, "bandwidth": 12e9, "nodeLatency": 4e-7,
                     "nodeBandwidth": 6e9, "copyBandwidth": 6e9, "coresPerNode": 64}, and
                     packedBandwidth and turnedBandwidth, else as nodeBandwidth, copyBandwidth,
                     and loneLatency, else 0
)";

/// The command line.
struct Request {
    std::string operation;
    std::vector<Index> grid;
    std::vector<std::string> ranges, toRanges;
    std::size_t element = 8;
    detail::Shifted shift{1};
    Adlib::Pattern pattern{1, 1};
    Adlib::RowAccess access{Adlib::Access::Get};
    Adlib::Machine machine;
};

Adlib::Access accessCalled(const std::string& name) {
    if (name == "get") return Adlib::Access::Get;
    if (name == "put") return Adlib::Access::Put;
    if (name == "accumulate") return Adlib::Access::Accumulate;
    if (name == "fetchAdd") return Adlib::Access::FetchAdd;
    fail("no such access as '" + name + "'");
}

/// An option of the operations that are priced by a pattern; false if it is none.
bool takePatternOption(Request& request, const std::string& name, const std::string& value) {
    if (name == "--partners")
        request.pattern.partners = static_cast<int>(number(value));
    else if (name == "--elements")
        request.pattern.elements = number(value);
    else if (name == "--access")
        request.access.access = accessCalled(value);
    else if (name == "--rows")
        request.access.rows = number(value);
    else
        return false;
    return true;
}

void takeOption(Request& request, const std::string& name, const std::string& value) {
    if (name == "--element")
        request.element = static_cast<std::size_t>(number(value));
    else if (name == "--amount")
        request.shift.amount = number(value);
    else if (name == "--dimension")
        request.shift.d = static_cast<int>(number(value));
    else if (name == "--machine")
        request.machine = detail::cost::readMachine(value);
    else if (!takePatternOption(request, name, value))
        fail("unknown option " + name);
}

bool hasPattern(const Request& request) {
    return request.operation == "gather" || request.operation == "scatter" ||
           request.operation == "fence";
}

Request parse(const std::vector<std::string>& words) {
    Request request;
    std::vector<std::string>* ranges = &request.ranges;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string& word = words[k];
        if (word == "--to") {
            ranges = &request.toRanges;
        } else if (word.rfind("--", 0) == 0) {
            if (k + 1 == words.size()) fail(word + " wants a value");
            takeOption(request, word, words[++k]);
        } else if (request.operation.empty()) {
            request.operation = word;
        } else if (request.grid.empty()) {
            for (const std::string& extent : split(word, 'x'))
                request.grid.push_back(number(extent));
        } else {
            ranges->push_back(word);
        }
    }
    if (request.grid.empty() || request.ranges.empty() != hasPattern(request))
        fail("operation, grid and (not for gather, scatter, fence) ranges are needed; see --help");
    request.shift.cyclic = request.operation == "cshift";
    return request;
}

Adlib::Cost patternCost(const Request& request) {
    if (request.operation == "gather")
        return Adlib::gatherCost(request.pattern, request.element, request.machine);
    if (request.operation == "scatter")
        return Adlib::scatterCost(request.pattern, request.element, request.machine);
    return Adlib::fenceCost(request.pattern, request.access, request.element, request.machine);
}

Adlib::Cost costOf(const Request& request, const Group& grid) {
    if (hasPattern(request)) return patternCost(request);
    const std::vector<Range> from = makeRanges(request.ranges, grid);
    const bool hasDimension =
        request.shift.d >= 0 && request.shift.d < static_cast<int>(from.size());
    if (request.operation == "writeHalo")
        return Adlib::writeHaloCost(grid, from, request.element, request.machine);
    if ((request.operation == "shift" || request.operation == "cshift") && hasDimension)
        return Adlib::shiftCost(grid, from, request.element, request.shift, request.machine);
    if (request.operation != "remap") fail("no such operation or dimension");
    const std::vector<Range> to = makeRanges(request.toRanges, grid);
    bool hasSameShape = to.size() == from.size();
    for (std::size_t r = 0; hasSameShape && r < to.size(); ++r)
        hasSameShape = to[r].size() == from[r].size();
    if (!hasSameShape) fail("remap wants ranges of the same extents behind --to");
    return Adlib::remapCost(grid, to, from, request.element, request.machine);
}

Adlib::Cost costOf(const Request& request) {
    Index processes = 1;
    for (const Index extent : request.grid) {
        if (extent < 1 || processes * extent > 2000000000)
            fail("a grid of 1 to 2 * 10^9 processes is needed");
        processes *= extent;
    }
    const Adlib::PretendedProcesses all(static_cast<int>(processes));
    const auto rank = static_cast<int>(request.grid.size());
    return costOf(request, Group(detail::makeGrid(request.grid.data(), rank, {})));
}

void print(const Adlib::Cost& cost) {
    std::printf("%lld processes, %lld planned (%s)\n", static_cast<long long>(cost.processes),
                static_cast<long long>(cost.planned), cost.isExact ? "exact" : "a sample");
    const auto row = [](const char* name, const Adlib::Spread& spread) {
        std::printf("%-16s %12.6g %12.6g %12.6g\n", name, spread.min, spread.mean, spread.max);
    };
    std::printf("%-16s %12s %12s %12s\n", "per process", "min", "mean", "max");
    row("messages sent", cost.messages);
    row("bytes sent", cost.bytes);
    row("bytes copied", cost.copied);
    const bool inspectorSends = cost.inspectorMessages.max > 0;
    if (inspectorSends) {
        row("inspector: sent", cost.inspectorMessages);
        row("  bytes", cost.inspectorBytes);
    }
    if (cost.planBytes > 0) std::printf("%-16s %12.0f bytes, largest\n", "plan", cost.planBytes);
    if (cost.descriptorBytes > 0)
        std::printf("%-16s %12.0f bytes\n", "descriptor", cost.descriptorBytes);
    std::printf("%-16s %12.4g s\n", "inspector here", cost.inspectorSeconds);
    if (inspectorSends) std::printf("%-16s %12.4g s\n", "  messages", cost.inspectorExchange);
    std::printf("%-16s %12.4g s\n", "time", cost.seconds);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words[0] == "--help") {
        std::fputs(help, stdout);
        return words.empty() ? 2 : 0;
    }
    try {
        print(costOf(parse(words)));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hpspmd-cost: %s\n", error.what());
        return 2;
    }
}
