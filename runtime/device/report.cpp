// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/report.hpp"

#include "compose.hpp"
#include "device/under_way.hpp"
#include "log.hpp"

#include <hpspmd/environment.hpp>

#include <atomic>
#include <cmath>
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
    double bytesIn = 0, bytesOut = 0, boxBytes = 0, messageBytes = 0;
    double rowsIn = 0, rowsOut = 0;  // bytes
    Where lastHome = {};
    bool isPinned = false;
};

using Place = std::pair<std::string, int>;

/// Of the nest of one place, on one device.
struct Launches {
    std::string kernel;
    Index count = 0, beside = 0;
};
using LaunchesOfPlaces = std::map<std::pair<Place, std::string>, Launches>;

/// By addresses of texts, so that noting a launch takes little time; the texts of a library that
/// the program has closed are gone at the end.
struct Launched {
    Place place;
    std::string device, kernel;
    Index count = 0, beside = 0;  // beside what was under way
};
using LaunchedBy = std::tuple<const char*, int, const char*, const char*>;

/// Of one device.
struct Kernels {
    std::string description;
    int made = 0, cached = 0, ofProgram = 0;
    double seconds = 0;  // for those made
};

struct Notes {
    std::mutex mutex;
    std::map<std::string, Kernels> kernels;
    std::map<LaunchedBy, Launched> launches;
    std::map<Place, Line> arrays;
    DeviceCounts counts;
    Index messages = 0;  // from device to device
    double messageBytes = 0;
    bool isPlanned = false;  // to be told at the end
};

std::atomic<Index> launchCount{0};

Notes& notes() {
    static Notes& all = *new Notes;
    return all;
}

Place placeOf(Where where) {
    const char* const slash = where.file == nullptr ? nullptr : std::strrchr(where.file, '/');
    return {slash != nullptr ? slash + 1 : where.file == nullptr ? "" : where.file, where.line};
}

/// "arrays of heat.hpcpp:49: to the device 1 x, ..": empty if nothing was copied.
std::string textOf(const Place& place, const Line& line) {
    const bool hasRows = line.rowsIn + line.rowsOut > 0;
    if (line.toDevice + line.toHome == 0 && line.boxBytes + line.messageBytes == 0 && !hasRows)
        return "";
    std::string text =
        compose("arrays of ", place.first, ":", place.second, ": to the device ", line.toDevice,
                " x, ", static_cast<Index>(line.bytesIn), " bytes; home ", line.toHome, " x, ",
                static_cast<Index>(line.bytesOut), " bytes");
    const Place last = placeOf(line.lastHome);
    if (line.toHome > 0 && !last.first.empty())
        text += compose(", last because of ", last.first, ":", last.second);
    if (line.isPinned) text += ", pinned";
    if (line.boxBytes > 0)
        text += compose("; for ghost cells ", static_cast<Index>(line.boxBytes), " bytes");
    if (line.messageBytes > 0)
        text += compose("; for messages ", static_cast<Index>(line.messageBytes), " bytes");
    if (hasRows)
        text += compose("; in rows to devices ", static_cast<Index>(line.rowsIn), " bytes, home ",
                        static_cast<Index>(line.rowsOut), " bytes");
    return text;
}

/// "3 kernels of the program, 2 from the cache, 1 made in 92 ms"
std::string originsOf(const Kernels& kernels) {
    const std::string ofProgram =
        kernels.ofProgram > 0 ? compose(kernels.ofProgram, " kernels of the program, ") : "";
    return compose(ofProgram, kernels.cached, ofProgram.empty() ? " kernels" : "",
                   " from the cache, ", kernels.made, " made in ",
                   std::lround(1e3 * kernels.seconds), " ms");
}

/// A function of a header, compiled for several files, has several texts.
LaunchesOfPlaces byPlaces(const std::map<LaunchedBy, Launched>& launches) {
    LaunchesOfPlaces result;
    for (const auto& [by, each] : launches) {
        Launches& ofPlace = result[{each.place, each.device}];
        ofPlace.kernel = each.kernel;
        ofPlace.count += each.count;
        ofPlace.beside += each.beside;
    }
    return result;
}

std::string besideText(Index launches) {
    return launches == 0 ? "" : compose(", ", launches, " while ghost cells travelled");
}

void tellAll() {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    const int rank = ownRank() < 0 ? 0 : ownRank();
    for (const auto& [device, kernels] : all.kernels)
        std::fprintf(stderr, "hpspmd: process %d: %s %s: %s\n", rank, device.c_str(),
                     kernels.description.c_str(), originsOf(kernels).c_str());
    for (const auto& [where, launched] : byPlaces(all.launches))
        std::fprintf(stderr, "hpspmd: process %d: %s:%d on %s: %ld launches of %s%s\n", rank,
                     where.first.first.c_str(), where.first.second, where.second.c_str(),
                     static_cast<long>(launched.count), launched.kernel.c_str(),
                     besideText(launched.beside).c_str());
    if (all.messages > 0)
        std::fprintf(stderr, "hpspmd: process %d: %ld messages from device to device, %.0f bytes\n",
                     rank, static_cast<long>(all.messages), all.messageBytes);
    for (const auto& [place, line] : all.arrays)
        if (const std::string text = textOf(place, line); !text.empty())
            std::fprintf(stderr, "hpspmd: process %d: %s\n", rank, text.c_str());
}

/// Once, and with the mutex held.
void planTelling(Notes& all) {
    if (all.isPlanned || !isLogWanted()) return;
    all.isPlanned = true;
    std::atexit(tellAll);
}

}  // namespace

void noteLaunch(Where nest, const char* device, const char* kernel) noexcept {
    launchCount.fetch_add(1, std::memory_order_relaxed);
    static const bool isWanted = isLogWanted();
    if (!isWanted) return;
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    planTelling(all);
    const auto [launched, isNew] = all.launches.try_emplace({nest.file, nest.line, device, kernel});
    if (isNew) launched->second = {placeOf(nest), device, kernel};
    ++launched->second.count;
    if (isAnyUnderWay()) ++launched->second.beside;
}

void noteKernel(const char* device, const std::string& description, double seconds,
                KernelOrigin origin) noexcept {
    if (!isLogWanted()) return;
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    planTelling(all);
    Kernels& kernels = all.kernels[device];
    kernels.description = description;
    ++(origin == KernelOrigin::Made    ? kernels.made
       : origin == KernelOrigin::Cache ? kernels.cached
                                       : kernels.ofProgram);
    if (origin == KernelOrigin::Made) kernels.seconds += seconds;
}

void noteMessage(std::size_t bytes) noexcept {
    if (!isLogWanted()) return;
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    planTelling(all);
    ++all.messages;
    all.messageBytes += static_cast<double>(bytes);
}

void noteCopies(Where created, std::size_t bytes, const CopyCount& copies) noexcept {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    all.counts.toDevice += copies.toDevice;
    all.counts.toHome += copies.toHome;
    const bool hasRows = copies.rows.toDevices + copies.rows.toHome > 0;
    const bool isNews =
        copies.toDevice + copies.toHome > 0 || copies.boxBytes + copies.messageBytes > 0 || hasRows;
    if (!isLogWanted() || !isNews) return;
    planTelling(all);
    Line& line = all.arrays[placeOf(created)];
    line.toDevice += copies.toDevice;
    line.toHome += copies.toHome;
    line.bytesIn += static_cast<double>(copies.toDevice) * static_cast<double>(bytes);
    line.bytesOut += static_cast<double>(copies.toHome) * static_cast<double>(bytes);
    line.isPinned = line.isPinned || copies.isPinned;
    line.boxBytes += static_cast<double>(copies.boxBytes);
    line.messageBytes += static_cast<double>(copies.messageBytes);
    line.rowsIn += static_cast<double>(copies.rows.toDevices);
    line.rowsOut += static_cast<double>(copies.rows.toHome);
    if (copies.toHome > 0) line.lastHome = copies.lastHome;
}

DeviceCounts deviceCounts() {
    Notes& all = notes();
    const std::lock_guard lock(all.mutex);
    DeviceCounts counts = all.counts;
    counts.launches = launchCount.load(std::memory_order_relaxed);
    return counts;
}

}  // namespace hpspmd::detail
