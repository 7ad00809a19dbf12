// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a cache line takes from one core to another, and how benchmarks of communication take
// times.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "bench.hpp"

namespace bench {

/// Seconds that f() takes, as the mean of some calls that all processes begin together; of the
/// process that needs longest, since in a scan, say, the first one has nothing to wait for.
template <class Function>
double timeOf(int repeats, const Function& f) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = seconds();
    for (int k = 0; k < repeats; ++k) f();
    double elapsed = (seconds() - start) / repeats;
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return elapsed;
}

inline double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// Processes 0 and 1 hand a number to and fro.
class Latency {
public:
    Latency() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        void* memory = nullptr;
        MPI_Win_allocate_shared(rank_ == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                                &window_);
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_shared_query(window_, 0, &size, &unit, &memory);
        flag_ = static_cast<std::atomic<int>*>(memory);
        if (rank_ == 0) flag_->store(0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Latency() { MPI_Win_free(&window_); }
    Latency(const Latency&) = delete;
    Latency& operator=(const Latency&) = delete;

    void operator()() const {
        if (rank_ > 1) return;
        while (flag_->load(std::memory_order_acquire) % 2 != rank_) {
        }
        flag_->store(flag_->load() + 1, std::memory_order_release);
    }

private:
    int rank_ = 0;
    MPI_Win window_;
    std::atomic<int>* flag_;
};

}  // namespace bench
