// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/part_shares.hpp"

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/kept_shares.hpp"
#include "device/measured_shares.hpp"
#include "target/rules.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

namespace hpspmd::detail {
namespace {

double secondsNow() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Nests of several threads may use one of them.
std::mutex& oneAfterTheOther() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

/// The host is of a kind of its own.
std::vector<int> kindsOf(const std::vector<Backend*>& devices) {
    std::map<std::string, int> numbers;
    std::vector<int> kinds;
    const auto add = [&](const std::string& kind) {
        kinds.push_back(numbers.try_emplace(kind, static_cast<int>(numbers.size())).first->second);
    };
    for (const Backend* const each : devices) {
        const std::string name = each->name();
        add(name.substr(0, name.find(':')));
    }
    add("");
    return kinds;
}

std::string keyFor(const RowPart& held, const std::vector<Backend*>& devices, int share) {
    std::vector<std::string> names;
    for (const Backend* const each : devices) names.emplace_back(each->name());
    return keyOfShares(held.last - held.first + 1, nameOf(Target(TargetKind::Devices, share)),
                       names);
}

/// "1024 rows: 75 % on cuda:0, 25 % on cuda:1"
std::string textOf(Index rows, const MeasuredShares& measured,
                   const std::vector<Backend*>& devices) {
    const std::vector<double>& shares = measured.shares();
    std::string text = compose(rows, " rows:");
    for (std::size_t k = 0; k < shares.size(); ++k)
        if (const long percent = std::lround(100 * shares[k]); percent > 0)
            text += compose(text.back() == ':' ? " " : ", ", percent, " % on ",
                            k < devices.size() ? devices[k]->name() : "the host");
    if (measured.sets() > 0) text += compose(", the fastest of ", measured.sets(), " sets");
    return text;
}

/// By the rows first .. last that the process holds.
MeasuredShares& measuredFor(const RowPart& held, const std::vector<Backend*>& devices, int share,
                            const Site& site) {
    static auto& all = *new std::map<std::tuple<Index, Index, int>, MeasuredShares>;
    const auto key = std::make_tuple(held.first, held.last, share);
    const auto known = all.find(key);
    if (known != all.end()) return known->second;
    MeasuredShares measured = share == measuredShare
                                  ? MeasuredShares(devices.size())
                                  : MeasuredShares(kindsOf(devices), share == growingShare);
    if (const auto kept = keptShares(keyFor(held, devices, share), devices.size() + 1)) {
        measured.settleOn(*kept);
        tellOfNest(site, compose(textOf(held.last - held.first + 1, measured, devices),
                                 ", as in an earlier run"));
    }
    return all.emplace(key, std::move(measured)).first->second;
}

/// The devices are done with everything.
void finishAll(const std::vector<Backend*>& devices) {
    for (Backend* const each : devices) each->finish();
}

}  // namespace

CutRows cutRows(const OutermostLoop& outermost, int percent, const std::vector<Backend*>& devices,
                const Site& site) {
    const Index rows = outermost.held.last - outermost.held.first + 1;
    const auto count = static_cast<Index>(devices.size());
    CutRows result;
    if (!isMeasured(percent)) {
        const Index ofDevices = rows * percent / 100;
        for (Index k = 0; k < count; ++k) result.ends.push_back(ofDevices * (k + 1) / count);
        return result;
    }
    const std::lock_guard lock(oneAfterTheOther());
    MeasuredShares& measured = measuredFor(outermost.held, devices, percent, site);
    if (2 * (outermost.part.last - outermost.part.first + 1) >= rows) {
        if (measured.isBorder()) finishAll(devices);
        measured.begin(secondsNow());
        if (measured.isNews()) {
            tellOfNest(site, textOf(rows, measured, devices));
            keepShares(keyFor(outermost.held, devices, percent), measured.shares());
        }
        if (measured.timesParts()) result.timed = &measured;
    }
    double sum = 0;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        constexpr double together = 8;  // rows that are moved
        sum += measured.shares()[k];
        const bool isAll = k + 1 == devices.size() && measured.shares().back() == 0;
        const double end = together * std::round(sum * static_cast<double>(rows) / together);
        result.ends.push_back(isAll ? rows : std::min(rows, static_cast<Index>(end)));
    }
    return result;
}

void PartClock::start(MeasuredShares* shares, Backend* device) {
    shares_ = shares;
    if (shares_ == nullptr) return;
    if (device != nullptr) device->finish();
    start_ = secondsNow();
}

void PartClock::stop(std::size_t part, Index iterations, Backend* device) {
    if (shares_ == nullptr) return;
    if (device != nullptr) device->finish();
    const double end = secondsNow();
    if (iterations > 0) {
        const std::lock_guard lock(oneAfterTheOther());
        shares_->took(part, static_cast<double>(iterations), end - start_);
    }
    start_ = end;
}

}  // namespace hpspmd::detail
