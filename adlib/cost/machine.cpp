// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "cost/words.hpp"

namespace hpspmd::detail::cost {
namespace {

/// A price of a machine file.
double& price(Adlib::Machine& machine, const std::string& name) {
    if (name == "latency") return machine.latency;
    if (name == "bandwidth") return machine.bandwidth;
    if (name == "nodeLatency") return machine.nodeLatency;
    if (name == "nodeBandwidth") return machine.nodeBandwidth;
    if (name == "copyBandwidth") return machine.copyBandwidth;
    if (name == "coresPerNode") return machine.coresPerNode;
    if (name == "packedBandwidth") return machine.packedBandwidth;
    if (name == "turnedBandwidth") return machine.turnedBandwidth;
    if (name == "loneLatency") return machine.loneLatency;
    fail("unknown price '" + name + "'");
}

}  // namespace

Adlib::Machine readMachine(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail("cannot read '" + path + "'");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    Adlib::Machine machine;
    for (std::size_t quote = text.find('"'); quote != std::string::npos;) {
        const std::size_t end = text.find('"', quote + 1), colon = text.find(':', quote);
        if (end == std::string::npos || colon == std::string::npos || colon < end)
            fail("'" + path + "' is no JSON object of numbers");
        char* after = nullptr;
        const double value = std::strtod(text.c_str() + colon + 1, &after);
        const std::string name = text.substr(quote + 1, end - quote - 1);
        if (!(value > 0)) fail("'" + path + "': " + name + " must be a positive number");
        price(machine, name) = value;
        quote = text.find('"', static_cast<std::size_t>(after - text.c_str()));
    }
    return machine;
}

}  // namespace hpspmd::detail::cost
