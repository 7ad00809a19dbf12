// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning/speeds.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <hpspmd/active.hpp>
#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <limits>
#include <optional>
#include <string>

#include "transport/combine.hpp"
#include "tuning/shares.hpp"

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Choose>
void combineDoubles(void* left, const void* right, std::size_t bytes, Choose choose) {
    auto* const mine = static_cast<double*>(left);
    const auto* const other = static_cast<const double*>(right);
    for (std::size_t k = 0; k < bytes / sizeof(double); ++k) mine[k] = choose(mine[k], other[k]);
}
void least(void* left, const void* right, std::size_t bytes, const void*) {
    combineDoubles(left, right, bytes, [](double a, double b) { return std::min(a, b); });
}
void largest(void* left, const void* right, std::size_t bytes, const void*) {
    combineDoubles(left, right, bytes, [](double a, double b) { return std::max(a, b); });
}

void combine(const Call& call, std::vector<double>& values,
             void (*how)(void*, const void*, std::size_t, const void*)) {
    const Group group = apg();
    const Entered entered = enter(call.name, group, values.size(), call.where);
    transport::combine(entered, group,
                       {reinterpret_cast<char*>(values.data()), sizeof(double), values.size()},
                       {how});
}

const char* speedList() {
    const char* const list = std::getenv("HPSPMD_SPEEDS");
    return list != nullptr ? list : "";
}

/// Locations per second of the program's own work; 0 where there is none.
double ofProbe(Index n, const Dimension& d, const Probe& probe) {
    const std::vector<double> equal(static_cast<std::size_t>(d.size()), 1.0);
    const IrregRange x(shares(n, equal), d);
    probe(x);
    const auto begin = Clock::now();
    probe(x);
    const double seconds = std::max(secondsSince(begin), 1e-9);
    Index held = 0;
    if (d.crd() >= 0)
        for (const Block& block : x.localBlocks()) held += block.count;
    return static_cast<double>(held) / seconds;
}

}  // namespace

double speedOfMemory() {
    constexpr std::size_t size = std::size_t{1} << 18;
    constexpr double longEnough = 2e-3;
    std::vector<double> a(size, 1.0), b(size, 2.0);
    double best = 0;
    for (int trial = 0; trial < 5; ++trial) {
        double sweeps = 0, seconds = 0;
        for (const auto begin = Clock::now(); seconds < longEnough; seconds = secondsSince(begin)) {
            for (std::size_t k = 1; k + 1 < size; ++k)
                b[k] = 0.25 * (a[k - 1] + a[k + 1]) + 0.5 * b[k];
            std::swap(a, b);
            ++sweeps;
        }
        best = std::max(best, sweeps * static_cast<double>(size) / seconds);
    }
    return best + 0 * a[size / 2];
}

std::vector<double> leastOfEach(const Call& call, const Dimension& d, double own) {
    constexpr double nobody = std::numeric_limits<double>::infinity();
    std::vector<double> values(static_cast<std::size_t>(d.size(call.where)), nobody);
    if (d.crd() >= 0) values[static_cast<std::size_t>(d.crd())] = own;
    combine(call, values, least);
    const auto missing = std::find(values.begin(), values.end(), nobody);
    if (missing != values.end())
        throw AdlibError(std::string(call.name) +
                             ": the active group has no process with coordinate " +
                             std::to_string(missing - values.begin()) + " of the dimension",
                         call.where);
    return values;
}

std::vector<double> largestOfAll(const Call& call, std::vector<double> own) {
    combine(call, own, largest);
    return own;
}
double largestOfAll(const Call& call, double own) {
    return largestOfAll(call, std::vector<double>{own})[0];
}

bool arePretended() { return *speedList() != 0; }

std::vector<double> pretendedSpeeds(Where where) {
    const char* const list = speedList();
    if (*list == 0) return {};
    const auto fail = [&](const std::string& cause) {
        throw AdlibError("HPSPMD_SPEEDS is '" + std::string(list) + "': " + cause, where);
    };
    std::vector<double> speeds;
    for (const char* at = list;;) {
        char* end = nullptr;
        const double speed = std::strtod(at, &end);
        if (end == at || !(speed > 0) || speed > std::numeric_limits<double>::max() ||
            (*end != 0 && *end != ','))
            fail("a list of positive numbers is meant, such as 1,2,0.5");
        speeds.push_back(speed);
        if (*end == 0) break;
        at = end + 1;
    }
    const auto size = static_cast<std::size_t>(World::actual().size());
    if (speeds.size() != size)
        fail("it has " + std::to_string(speeds.size()) + " speeds for " + std::to_string(size) +
             " processes");
    return speeds;
}

std::vector<double> speeds(const Call& call, Index n, const Dimension& d, const Probe& probe) {
    d.size(call.where);
    startEnvironment();
    std::optional<double> own;
    if (const std::vector<double> all = pretendedSpeeds(call.where); !all.empty()) {
        own = all[static_cast<std::size_t>(World::actual().rank())];
    } else {
        largestOfAll(call, 0);  // so that all work at the same time
        static std::optional<double> measured;
        if (!probe && !measured) measured = speedOfMemory();
        own = probe ? ofProbe(n, d, probe) : *measured;
    }
    std::vector<double> result = leastOfEach(call, d, *own);
    if (std::all_of(result.begin(), result.end(), [](double speed) { return speed == 0; }))
        std::fill(result.begin(), result.end(), 1.0);  // nobody had anything to do
    return result;
}

}  // namespace hpspmd::detail
