// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/report.hpp"

#include "log.hpp"

#include <hpspmd/environment.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

namespace hpspmd::detail {
namespace {

struct Line {
    Index toDevice = 0, toHome = 0;
    double bytesIn = 0, bytesOut = 0;
    Where lastHome = {};
};

using Place = std::pair<std::string, int>;

struct Notes {
    std::mutex mutex;
    std::map<Place, std::pair<std::string, Index>> launches;
    std::map<Place, Line> arrays;
    DeviceCounts counts;
    bool isPlanned = false;  // to be told at the end
};

Notes& notes() {
    static Notes& all = *new Notes;
    return all;
}

Place placeOf(Where where) {
    const char* const slash = where.file == nullptr ? nullptr : std::strrchr(where.file, '/');
    return {slash != nullptr ? slash + 1 : where.file == nullptr ? "" : where.file, where.line};
}

void tellAll() {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    const int rank = ownRank() < 0 ? 0 : ownRank();
    for (const auto& [place, launched] : all.launches)
        std::fprintf(stderr, "hpspmd: process %d: %s:%d on check: %ld launches of %s\n", rank,
                     place.first.c_str(), place.second, static_cast<long>(launched.second),
                     launched.first.c_str());
    for (const auto& [place, line] : all.arrays) {
        if (line.toDevice + line.toHome == 0) continue;
        std::fprintf(stderr,
                     "hpspmd: process %d: arrays of %s:%d: to the device %ld x, %.0f bytes; home "
                     "%ld x, %.0f bytes",
                     rank, place.first.c_str(), place.second, static_cast<long>(line.toDevice),
                     line.bytesIn, static_cast<long>(line.toHome), line.bytesOut);
        const Place last = placeOf(line.lastHome);
        if (line.toHome > 0 && !last.first.empty())
            std::fprintf(stderr, ", last because of %s:%d", last.first.c_str(), last.second);
        std::fputc('\n', stderr);
    }
}

/// Once, and with the mutex held.
void planTelling(Notes& all) {
    if (all.isPlanned || !isLogWanted()) return;
    all.isPlanned = true;
    std::atexit(tellAll);
}

}  // namespace

void noteLaunch(const KernelText& kernel) noexcept {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    ++all.counts.launches;
    if (!isLogWanted()) return;
    planTelling(all);
    auto& [name, count] = all.launches[placeOf(kernel.where)];
    name = kernel.name;
    ++count;
}

void noteCopies(Where created, std::size_t bytes, const CopyCount& copies) noexcept {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    all.counts.toDevice += copies.toDevice;
    all.counts.toHome += copies.toHome;
    if (!isLogWanted() || copies.toDevice + copies.toHome == 0) return;
    planTelling(all);
    Line& line = all.arrays[placeOf(created)];
    line.toDevice += copies.toDevice;
    line.toHome += copies.toHome;
    line.bytesIn += static_cast<double>(copies.toDevice) * static_cast<double>(bytes);
    line.bytesOut += static_cast<double>(copies.toHome) * static_cast<double>(bytes);
    if (copies.toHome > 0) line.lastHome = copies.lastHome;
}

DeviceCounts deviceCounts() {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    return all.counts;
}

}  // namespace hpspmd::detail
