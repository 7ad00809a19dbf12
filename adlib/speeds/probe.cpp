// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "speeds/probe.hpp"

#include <adlib/maxval.hpp>
#include <algorithm>
#include <chrono>
#include <hpspmd/active.hpp>
#include <limits>

#include "transport/messages.hpp"
#include "tuning/speeds.hpp"

namespace hpspmd::speeds {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t bytes = std::size_t{8} << 20;
constexpr int trials = 4;  // of which the first one finds the ways

/// Seconds of process 0 until a message has gone to process k and come back.
double secondsThereAndBack(int k, std::vector<char>& data) {
    static auto& messages = *new detail::transport::Messages;
    const int own = apg().rank(), other = own == 0 ? k : 0;
    const detail::Where here = detail::Where::here();
    const auto begin = Clock::now();
    for (const int sender : {0, k}) {
        messages.begin(detail::enter("hpcc devices", apg(), data.size(), here));
        if (own == sender)
            messages.send(data.data(), data.size(), other);
        else if (own == 0 || own == k)
            messages.receive(data.data(), data.size(), other);
        messages.wait();
    }
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

void measure(devices::Device& processor) {
    Adlib::maxval(0);  // so that all work at the same time
    processor.speed = detail::speedOfMemory();
    std::vector<char> data(bytes, 1);
    for (int k = 1; k < apg().size(); ++k) {
        double best = std::numeric_limits<double>::infinity();
        for (int trial = 0; trial < trials; ++trial)
            best = std::min(best, secondsThereAndBack(k, data));
        best = Adlib::maxval(apg().rank() == 0 ? best : 0.0);
        if (apg().rank() == k) processor.bandwidth = 2.0 * bytes / best;
    }
}

}  // namespace hpspmd::speeds
