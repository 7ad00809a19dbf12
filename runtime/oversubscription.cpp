// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oversubscription.hpp"

#include "log.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string_view>

namespace hpspmd::detail {
namespace {

Allowance ownAllowance(int least) {
    Allowance own{};
    if (sched_getaffinity(0, sizeof own.mask, &own.mask) != 0) CPU_ZERO(&own.mask);
    own.least = least;
    own.quota = cpuQuota(ControlGroups::actual());
    return own;
}

bool isKnown(const Allowance& process) { return CPU_COUNT(&process.mask) > 0; }

// It has cores that the mask does not name.
bool isBoundMore(const Allowance& process) { return process.least > CPU_COUNT(&process.mask); }

int wholeCores(double granted) { return std::max(1, static_cast<int>(granted + 1e-6)); }

// Threads get cores one after the other; one that finds all of its cores taken asks those that have
// them to take others.
class Seats {
public:
    explicit Seats(const std::vector<Allowance>& processes)
        : processes_(processes), holder_(CPU_SETSIZE, -1) {}

    bool seat(std::size_t process) {
        std::vector<bool> asked(CPU_SETSIZE, false);
        return seat(process, asked);
    }

private:
    bool seat(std::size_t process, std::vector<bool>& asked) {
        const cpu_set_t& mask = processes_[process].mask;
        for (const bool mayAsk : {false, true})
            for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
                if (!CPU_ISSET(core, &mask) || asked[core]) continue;
                if (!mayAsk && holder_[core] >= 0) continue;
                asked[core] = true;
                if (mayAsk && !seat(static_cast<std::size_t>(holder_[core]), asked)) continue;
                holder_[core] = static_cast<int>(process);
                return true;
            }
        return false;
    }

    const std::vector<Allowance>& processes_;
    std::vector<int> holder_;  // the process that each core is given to
};

bool fitMasks(const std::vector<Allowance>& processes, const std::vector<int>& threads) {
    Seats seats(processes);
    for (std::size_t k = 0; k < processes.size(); ++k)
        for (int n = 0; n < threads[k] && !isBoundMore(processes[k]); ++n)
            if (!seats.seat(k)) return false;
    return true;
}

bool fitQuotas(const std::vector<Allowance>& processes, const std::vector<int>& threads) {
    std::map<std::uint64_t, int> wanted;
    for (std::size_t k = 0; k < processes.size(); ++k)
        wanted[processes[k].quota.group] += threads[k];
    return std::all_of(processes.begin(), processes.end(), [&](const Allowance& process) {
        const CpuQuota& quota = process.quota;
        return quota.cores == 0 || wanted[quota.group] <= wholeCores(quota.cores);
    });
}

void log(const Cores& cores, const std::vector<int>& threads, bool sleep) {
    if (!isLogWanted() || jobTransport().nodeRank() != 0 || cores.processCount() == 1) return;
    const int together = std::accumulate(threads.begin(), threads.end(), 0);
    std::fprintf(stderr,
                 "hpspmd: the %d processes of this node have %d threads and %d core%s: they %s\n",
                 cores.processCount(), together, cores.all, cores.all == 1 ? "" : "s",
                 sleep ? "sleep while they wait" : "spin while they wait");
}

}  // namespace

Cores coresOfNode(int least) {
    Cores cores;
    cores.processes.resize(static_cast<std::size_t>(jobTransport().nodeSize()));
    const Allowance own = ownAllowance(least);
    jobTransport().gatherOnNode(&own, sizeof own, cores.processes.data());
    cores.all = coresTogether(cores.processes);
    if (cores.all > 0) cores.own = std::min(cores.all, std::max(CPU_COUNT(&own.mask), least));
    return cores;
}

int coresTogether(const std::vector<Allowance>& processes) {
    cpu_set_t all;
    CPU_ZERO(&all);
    int largest = 0;
    bool isLimited = true;
    std::map<std::uint64_t, double> granted;
    for (const Allowance& process : processes) {
        if (!isKnown(process)) return 0;
        CPU_OR(&all, &all, &process.mask);
        largest = std::max(largest, process.least);
        isLimited &= process.quota.cores > 0;
        granted[process.quota.group] = process.quota.cores;
    }
    const int named = std::max(CPU_COUNT(&all), largest);
    if (!isLimited) return named;
    const double sum =
        std::accumulate(granted.begin(), granted.end(), 0.0,
                        [](double sum, const auto& each) { return sum + each.second; });
    return std::min(named, wholeCores(sum));
}

bool haveCores(const std::vector<Allowance>& processes, const std::vector<int>& threads) {
    const int all = coresTogether(processes);
    if (all == 0) return true;
    return std::accumulate(threads.begin(), threads.end(), 0) <= all &&
           fitQuotas(processes, threads) && fitMasks(processes, threads);
}

bool chooseSleep(const Cores& cores, int threads) {
    const char* const value = std::getenv("HPSPMD_WAITING");
    const std::string_view wanted = value == nullptr ? "" : value;
    const int own[] = {threads, wanted == "sleep", wanted == "spin"};
    std::vector<int> all(3 * cores.processes.size());
    jobTransport().gatherOnNode(own, sizeof own, all.data());
    std::vector<int> ofEach;
    bool sleepWanted = false, spinWanted = false;
    for (std::size_t k = 0; k < cores.processes.size(); ++k) {
        ofEach.push_back(all[3 * k]);
        sleepWanted |= all[3 * k + 1] != 0;
        spinWanted |= all[3 * k + 2] != 0;
    }
    const bool sleep = sleepWanted || (!spinWanted && !haveCores(cores.processes, ofEach));
    log(cores, ofEach, sleep);
    return sleep;
}

}  // namespace hpspmd::detail
