// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nest that speedOfMemory() times on the processor, as hpcc --device would write it.
#include "tuning/device_sweeps.hpp"

#include <algorithm>
#include <chrono>
#include <hpspmd/active.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/threads.hpp>
#include <limits>

// clang-format off
#include <hpspmd/device/kernel.hpp>
HPSPMD_KERNEL(speedOfMemory, 15, 1, nullptr, (), (Run i_run, IN(double, a), INOUT(double, b)), ,
    COLUMNS(i, i_run, 1) {
        AT(const double, a, i) AT(double, b, i)
        b_at[0] = 0.25 * (a_at[-1] + a_at[1]) + 0.5 * b_at[0];
    })
#include <hpspmd/device/kernel_end.hpp>
// clang-format on

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;
using Numbers = Array<double, Seq>;

constexpr Index size = Index{1} << 22;
/// How often is measured, by how many pairs of sweeps; less where one takes long.
struct Effort {
    int trials, pairs;
};
constexpr Effort usual{4, 20}, little{1, 1};
constexpr double longSeconds = 0.06;

void sweep(const Numbers& a, const Numbers& b) {
    const Run inner(a.rng(0), 1, size - 2);
    auto devices =
        deviceFor(kernels::speedOfMemory, true, {reads(a, {-1, 1}), writes(b, 0, {0, 0})}, inner);
    do {
        if (devices) devices.run(inner, a, b);
        if (devices.leavesSome()) {
            if (!devices) atHome({reads(a), writes(b)});
            const RunLeft left = devices.left();
            for (Index i = left.first; i <= left.last; ++i)
                b.data()[i] = 0.25 * (a.data()[i - 1] + a.data()[i + 1]) + 0.5 * b.data()[i];
        }
    } while (devices.goesOn());
}

/// Until an array is on the devices, so many pairs of sweeps have run, and it is home again; the
/// least of some trials.
double secondsWith(int pairs, int trials, const Numbers& a, const Numbers& b) {
    double best = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial) {
        atHome({writes(a)});
        const auto begin = Clock::now();
        for (int pair = 0; pair < pairs; ++pair) {
            sweep(a, b);
            sweep(b, a);
        }
        atHome({reads(a)});
        best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return best;
}

}  // namespace

DeviceSpeed speedOfDevice() {
    const Numbers a = create<double>(apg(), size), b = create<double>(apg(), size);
    secondsWith(1, 1, a, b);  // the kernel is made, and the arrays have memory there
    const Effort effort = secondsWith(1, 1, a, b) > longSeconds ? little : usual;
    const double one = secondsWith(1, effort.trials, a, b),
                 all = secondsWith(1 + effort.pairs, effort.trials, a, b);
    const double ofSweep = (all - one) / (2 * effort.pairs), ofCopies = one - 2 * ofSweep;
    return {ofSweep > 0 ? double(size) / ofSweep : 0,
            ofCopies > 0 ? 2 * double(size) * sizeof(double) / ofCopies : 0};
}

}  // namespace hpspmd::detail
