// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-speeds, which `hpcc devices -n N` starts as a job: a table of its processes.

#include <unistd.h>
#include <adlib/broadcast.hpp>
#include <adlib/gprint.hpp>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <hpspmd/active.hpp>
#include <hpspmd/environment.hpp>

#include "compose.hpp"
#include "device/kernel_cache.hpp"
#include "devices/apart.hpp"
#include "speeds/probe.hpp"
#include "speeds/processes.hpp"
#include "transport/letters.hpp"
#include "transport/transport.hpp"

namespace hpspmd::speeds {
namespace {

constexpr int secondsForDriver = 60;
constexpr const char* version = "speeds 1\n";

std::string nodeName() {
    char name[HOST_NAME_MAX + 1] = "";
    return ::gethostname(name, HOST_NAME_MAX) == 0 ? name : "?";
}

/// Of the devices of the node this process takes its share, so that each stands in the table once.
Process ownProcess(const std::vector<devices::Device>& shown) {
    Process own{nodeName(), {devices::host()}};
    const detail::Transport& job = detail::jobTransport();
    const auto stride = static_cast<std::size_t>(job.nodeSize());
    for (auto k = static_cast<std::size_t>(job.nodeRank()); k < shown.size(); k += stride)
        own.devices.push_back(shown[k]);
    return own;
}

/// The texts of all, in process 0.
std::string gathered(const Process& own) {
    const std::string text = textOf(own);
    detail::transport::Letters letters;
    letters[0].assign(text.begin(), text.end());
    const detail::Where here = detail::Where::here();
    std::string all;
    for (const auto& [sender, letter] :
         detail::transport::deliver(detail::enter("hpcc devices", apg(), 0, here), apg(), letters))
        all.append(letter.begin(), letter.end());
    return all;
}

std::string measured(Process own) {
    measure(own.devices.front());
    for (std::size_t k = 1; k < own.devices.size(); ++k) measureDevice(own.devices[k]);
    return gathered(own);
}

void printTable(bool again) {
    std::vector<devices::Device> shown =
        devices::apart("cuda", devices::cudaDevices, secondsForDriver);
    for (const auto& each : devices::apart("opencl", devices::openClDevices, secondsForDriver))
        shown.push_back(each);
    detail::startEnvironment();
    const Process own = ownProcess(shown);
    const std::string key = version + gathered(own);
    const bool isFirst = apg().rank() == 0;
    std::optional<std::string> known;
    if (isFirst && !again) known = detail::cachedKernel(key);
    const bool isKnown = Adlib::broadcast(known.has_value());
    if (!isKnown) known = measured(own);
    if (!isKnown && isFirst) detail::keepKernel(key, *known);
    Adlib::gprint(isFirst ? tableOf(processesIn(*known)) : "",
                  isKnown ? "measured before; hpcc devices --again measures anew\n" : "");
}

}  // namespace
}  // namespace hpspmd::speeds

int main(int count, char** words) {
    hpspmd::speeds::printTable(count == 2 && std::strcmp(words[1], "--again") == 0);
}
