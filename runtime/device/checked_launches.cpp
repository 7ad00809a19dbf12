// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/checked_launches.hpp"

#include "fork.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t mostUnderWay = 1024;  // launches that nobody has looked at
constexpr Index most = 2147483647;          // of a subscript that is told

struct Beyond {
    Index subscript;
    CheckedSubscript check;
    const char* file;
};

/// In the order in which they have been started, on all devices of the process.
class CheckedLaunches {
public:
    std::mutex mutex;

    bool areThere() const { return areThere_.load(std::memory_order_relaxed); }
    bool areMany() const { return launches_.size() >= mostUnderWay; }
    std::uint32_t nextNumber() const { return static_cast<std::uint32_t>(launches_.size()) + 1; }

    void add(Backend& device, const KernelText& kernel, const kernels::Checks& checks) {
        launches_.push_back({&kernel, checks_.size()});
        checks_.insert(checks_.end(), checks.all, checks.all + checks.count);
        devices_.insert(&device);
        launchedBy_ = forks::generation;
        areThere_ = true;
    }

    std::optional<Beyond> look() {
        std::optional<Beyond> result;
        std::uint32_t first = 0;
        for (Backend* const device : devices_) {
            if (launchedBy_ != forks::generation) break;  // those of the parent
            const std::vector<std::uint32_t> found = device->takeFound();
            if (found.empty() || (result && found.front() > first)) continue;
            first = found.front();
            result = lastOf(found);
        }
        launches_.clear();
        checks_.clear();
        devices_.clear();
        areThere_ = false;
        return result;
    }

private:
    struct Launch {
        const KernelText* kernel;
        std::size_t firstCheck;
    };

    /// Of the check that has the largest number.
    Beyond lastOf(const std::vector<std::uint32_t>& found) const {
        const Launch& launch = launches_[found.front() - 1];
        std::size_t number = found.size() - 1;
        while (number > 1 && found[number] == 0) --number;
        return {Index(found[number]) - most - 1, checks_[launch.firstCheck + number - 1],
                launch.kernel->where.file};
    }

    std::vector<Launch> launches_;
    std::vector<CheckedSubscript> checks_;
    std::set<Backend*> devices_;
    int launchedBy_ = 0;  // forks::generation
    std::atomic<bool> areThere_{false};
};

CheckedLaunches& checkedLaunches() {
    static CheckedLaunches& all = *new CheckedLaunches;
    return all;
}

void raiseIfAny(const std::optional<Beyond>& found) {
    if (found)
        raiseOutOfBounds(found->subscript, found->check.extent, found->check.dimension,
                         {found->file, found->check.line});
}

}  // namespace

kernels::Checks* checksOf(const KernelText& kernel, void** arguments) {
    for (std::size_t k = 0; k < kernel.parameterCount; ++k)
        if (kernel.parameters[k].kind == KernelParameter::Kind::Checked)
            return static_cast<kernels::Checks*>(arguments[k]);
    return nullptr;
}

bool launchChecked(Backend& device, const KernelText& kernel, kernels::Checks& checks,
                   const std::function<bool()>& start) {
    if (checks.count > mostChecks) return false;
    CheckedLaunches& all = checkedLaunches();
    const std::lock_guard lock(all.mutex);
    if (all.areMany()) raiseIfAny(all.look());
    checks.launch = all.nextNumber();
    if (!start()) return false;
    // Registered behind what the driver does at the end. An error ends the job.
    static const int atEnd [[maybe_unused]] = std::atexit([]() noexcept { requireFitting(); });
    all.add(device, kernel, checks);
    return true;
}

void requireFitting() {
    CheckedLaunches& all = checkedLaunches();
    if (!all.areThere()) return;
    std::optional<Beyond> found;
    {
        const std::lock_guard lock(all.mutex);
        found = all.look();
    }
    raiseIfAny(found);
}

/// What has thrown the error may hold a mutex, and a device may wait for another process.
void requireFittingWithin(double seconds) {
    if (!checkedLaunches().areThere()) return;
    const auto look = std::make_shared<std::packaged_task<void()>>(requireFitting);
    std::future<void> end = look->get_future();
    std::thread([look] { (*look)(); }).detach();
    if (end.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready)
        end.get();
}

}  // namespace hpspmd::detail

namespace hpspmd::kernels {

void noteBeyond(const Checks& checks, Index e, int number, const char* file) {
    const detail::CheckedSubscript& check = checks.all[number - 1];
    if (checks.found == nullptr)
        detail::raiseOutOfBounds(e, check.extent, check.dimension, {file, check.line});
    if (checks.found[0] == 0) checks.found[0] = checks.launch;
    if (checks.found[0] != checks.launch) return;
    std::uint32_t& largest = checks.found[number];
    largest = std::max(largest, static_cast<std::uint32_t>(
                                    std::clamp(e, -detail::most, detail::most) + detail::most + 1));
}

}  // namespace hpspmd::kernels
