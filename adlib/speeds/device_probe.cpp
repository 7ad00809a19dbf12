// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nest that speedOfMemory() times on the processor, as hpcc --device would write it.
#include <algorithm>
#include <chrono>
#include <hpspmd>
#include <limits>

#include "speeds/probe.hpp"
#include "target/rules.hpp"

// clang-format off
#include <hpspmd/device/kernel.hpp>
HPSPMD_KERNEL(speedOfMemory, 12, 1, nullptr, (), (Run i_run, IN(double, a), INOUT(double, b)), ,
    COLUMNS(i, i_run, 1) {
        AT(const double, a, i) AT(double, b, i)
        b_at[0] = 0.25 * (a_at[-1] + a_at[1]) + 0.5 * b_at[0];
    })
#include <hpspmd/device/kernel_end.hpp>
// clang-format on

namespace hpspmd::speeds {
namespace {

using Clock = std::chrono::steady_clock;
using Numbers = Array<double, Seq>;

constexpr Index size = Index{1} << 22;
constexpr int trials = 4, sweeps = 20;

void sweep(const Numbers& a, const Numbers& b) {
    const detail::Run inner(a.rng(0), 1, size - 2);
    detail::deviceFor(kernels::speedOfMemory, true, {detail::reads(a), detail::writes(b)})
        .run(inner, a, b);
}

/// Until an array is on the device, so many pairs of sweeps have run, and it is home again; the
/// least of some trials.
double secondsWith(int pairs, const Numbers& a, const Numbers& b) {
    double best = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial) {
        detail::atHome({detail::writes(a)});
        const auto begin = Clock::now();
        for (int pair = 0; pair < pairs; ++pair) {
            sweep(a, b);
            sweep(b, a);
        }
        detail::atHome({detail::reads(a)});
        best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return best;
}

}  // namespace

void measureDevice(devices::Device& device) {
    const std::optional<Target> target = detail::targetNamed(device.name).target;
    if (!target || !device.problem.empty()) return;
    try {
        const detail::On where(target->strict());
        const Numbers a = create<double>(apg(), size), b = create<double>(apg(), size);
        const double one = secondsWith(1, a, b), all = secondsWith(1 + sweeps, a, b);
        const double ofSweep = (all - one) / (2 * sweeps), ofCopies = one - 2 * ofSweep;
        if (ofSweep > 0) device.speed = double(size) / ofSweep;
        if (ofCopies > 0) device.bandwidth = 2 * double(size) * sizeof(double) / ofCopies;
    } catch (const std::exception& reason) {
        device.problem = reason.what();
    }
}

}  // namespace hpspmd::speeds
