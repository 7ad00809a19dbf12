// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/room.hpp"

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"

#include <hpspmd/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace hpspmd::detail {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Of HPSPMD_DEVICE_MEMORY.
std::size_t mostBytes(Where nest) {
    const char* const text = std::getenv("HPSPMD_DEVICE_MEMORY");
    if (text == nullptr || *text == 0) return unlimited;
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    const std::string_view units = "KMG", unit = end;
    const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
    if (end == text || !(number >= 0) || number > 1e9 || unit.size() > 1 || power > units.size())
        throw TargetUnavailable(
            compose("HPSPMD_DEVICE_MEMORY is '", text, "': a size is meant, such as 64M or 2G"),
            nest);
    return static_cast<std::size_t>(number * static_cast<double>(std::size_t{1} << 10 * power));
}

std::string inMegabytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / (1 << 20));
    return text;
}

bool isAmong(const std::vector<Mirror*>& all, const Mirror* one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

std::size_t bytesOn(const Backend& device) {
    std::size_t bytes = 0;
    for (const Mirror* const each : Mirror::allOnDevices()) bytes += each->bytesOn(device);
    return bytes;
}

/// "its arrays need 72.0 MB there (a 24.0, b 24.0, c 24.0), and ..".
std::string tooLittle(const NestArrays& arrays, const std::string& because) {
    std::size_t all = 0;
    std::string list;
    for (std::size_t k = 0; k < arrays.mirrors.size(); ++k) {
        const Mirror& mirror = *arrays.mirrors[k];
        all += mirror.bytes();
        list +=
            compose(list.empty() ? "" : ", ", arrays.names[k], " ", inMegabytes(mirror.bytes()));
    }
    return compose("its arrays need ", inMegabytes(all), " MB there (", list, "), and ", because);
}

}  // namespace

/// What a kernel's text calls its arrays: `(Run i_run, IN(double, a), Stride a_s0, OUT(double,
/// b))`.
std::vector<std::string> arrayNamesOf(const KernelText& kernel) {
    const std::string_view text = kernel.text.nest;
    const std::string_view parameters = text.substr(0, text.find(" {"));
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = parameters.find('(', at + 1)) != std::string_view::npos;) {
        const std::string_view before = parameters.substr(0, at);
        const auto isBehind = [&](std::string_view word) {
            return before.size() > word.size() &&
                   before.substr(before.size() - word.size()) == word;
        };
        if (!isBehind("IN") && !isBehind("OUT")) continue;  // INOUT as well
        const std::size_t comma = parameters.find(", ", at), end = parameters.find(')', at);
        if (end == std::string_view::npos || comma > end) continue;
        names.emplace_back(parameters.substr(comma + 2, end - comma - 2));
    }
    return names;
}

NestArrays::NestArrays(const KernelText* kernel, const std::vector<Mirror*>& taken) {
    const std::vector<std::string> known =
        kernel ? arrayNamesOf(*kernel) : std::vector<std::string>();
    for (std::size_t k = 0; k < taken.size(); ++k) {
        if (isAmong(mirrors, taken[k])) continue;
        mirrors.push_back(taken[k]);
        names.push_back(known.size() == taken.size() ? known[k] : "an array");
    }
}

bool sendOneHome(const Backend& device, const NestArrays& staying, Where nest) {
    Mirror* oldest = nullptr;
    for (Mirror* const each : Mirror::allOnDevices()) {
        if (!each->isOn(device) || isAmong(staying.mirrors, each)) continue;
        if (!each->isOfThisThread()) continue;
        if (oldest == nullptr || each->lastUse() < oldest->lastUse()) oldest = each;
    }
    if (oldest == nullptr) return false;
    oldest->leaveDevice(nest);
    return true;
}

bool leavesRoom(Backend& device, std::size_t bytes, const NestArrays& staying, Where nest) {
    const std::size_t most = mostBytes(nest);
    if (bytes > most) return false;
    while (most - bytes < bytesOn(device))
        if (!sendOneHome(device, staying, nest)) return false;
    return true;
}

std::string makeRoom(Backend& device, const NestArrays& arrays, Where nest) {
    const std::size_t most = mostBytes(nest);
    std::vector<Mirror*> without;
    std::size_t all = 0, missing = 0;
    for (Mirror* const each : arrays.mirrors) {
        all += each->bytes();
        if (each->isOn(device)) continue;
        without.push_back(each);
        missing += each->bytes();
    }
    const std::string limit = compose("HPSPMD_DEVICE_MEMORY leaves ", inMegabytes(most));
    if (all > most) return tooLittle(arrays, limit);
    if (!leavesRoom(device, missing, arrays, nest)) return tooLittle(arrays, limit);
    for (Mirror* const each : without)
        while (!each->isReadyFor(device)) {
            if (sendOneHome(device, arrays, nest)) continue;
            for (Mirror* const given : without) given->leaveDevice(nest);
            return tooLittle(arrays, "the device has no more room");
        }
    return "";
}

}  // namespace hpspmd::detail
