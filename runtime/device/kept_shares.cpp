// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/kept_shares.hpp"

#include "compose.hpp"
#include "device/kernel_cache.hpp"

#include <unistd.h>
#include <climits>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>

namespace hpspmd::detail {
namespace {

/// Its path, and when it was written.
std::string ownProgram() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return "";
    const auto written = std::filesystem::last_write_time(own, error).time_since_epoch().count();
    return compose(own.string(), " ", written);
}

std::string ownMachine() {
    char name[HOST_NAME_MAX + 1] = {};
    return ::gethostname(name, HOST_NAME_MAX) == 0 ? name : "";
}

}  // namespace

std::string keyOfShares(Index rows, const std::string& target,
                        const std::vector<std::string>& devices) {
    std::string key =
        compose("shares\n", ownMachine(), "\n", ownProgram(), "\n", rows, " rows\n", target, "\n");
    for (const std::string& each : devices) key += each + "\n";
    return key;
}

std::optional<std::vector<double>> sharesIn(std::string_view text, std::size_t count) {
    std::istringstream stream{std::string(text)};
    std::vector<double> shares;
    for (double share = 0; stream >> share; stream >> std::ws) {
        if (!(share >= 0 && share <= 1)) return std::nullopt;
        shares.push_back(share);
    }
    constexpr double hardly = 1e-6;
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const bool isAll = stream.eof() && shares.size() == count && std::abs(sum - 1) < hardly;
    return isAll ? std::optional(shares) : std::nullopt;
}

std::optional<std::vector<double>> keptShares(const std::string& key, std::size_t count) {
    const std::optional<std::string> text = cachedKernel(key);
    return text ? sharesIn(*text, count) : std::nullopt;
}

void keepShares(const std::string& key, const std::vector<double>& shares) noexcept {
    std::ostringstream text;
    text.precision(17);
    for (const double each : shares) text << each << ' ';
    keepKernel(key, text.str());
}

}  // namespace hpspmd::detail
