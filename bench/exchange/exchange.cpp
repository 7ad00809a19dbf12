// What the library adds to communication: in one program, in turns, a hand-written MPI exchange of
// ghost rows beside Adlib::writeHalo, and MPI_Allreduce of one number beside Adlib::sum. Prints the
// medians in microseconds, and how long a cache line takes from one core to another at the time,
// which varies on virtual machines.
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <algorithm>
#include <atomic>

#include "../bench.hpp"

namespace {

constexpr int rounds = 41, repeats = 200;

/// Seconds that f() takes, as the mean of some calls that all processes begin together.
template <class Function>
double timeOf(const Function& f) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (int k = 0; k < repeats; ++k) f();
    return (bench::seconds() - start) / repeats;
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// Processes 0 and 1 hand a number to and fro.
class Latency {
public:
    Latency() {
        void* memory = nullptr;
        MPI_Win_allocate_shared(hpspmd::apg().rank() == 0 ? 64 : 0, 1, MPI_INFO_NULL,
                                MPI_COMM_WORLD, &memory, &window_);
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_shared_query(window_, 0, &size, &unit, &memory);
        flag_ = static_cast<std::atomic<int>*>(memory);
        if (hpspmd::apg().rank() == 0) flag_->store(0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Latency() { MPI_Win_free(&window_); }

    void operator()() const {
        const int rank = hpspmd::apg().rank();
        if (rank > 1) return;
        while (flag_->load(std::memory_order_acquire) % 2 != rank) {
        }
        flag_->store(flag_->load() + 1, std::memory_order_release);
    }

private:
    MPI_Win window_;
    std::atomic<int>* flag_;
};

/// The exchange by hand: both neighbours' rows into the ghost rows.
struct ByHand {
    double* rows;
    long count, pitch;
    int above, below;

    void operator()() const {
        MPI_Request requests[4];
        const int n = static_cast<int>(pitch);
        MPI_Irecv(rows - pitch, n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(rows + count * pitch, n, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(rows + (count - 1) * pitch, n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                  &requests[2]);
        MPI_Isend(rows, n, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
};

void measure(long n) {
    using namespace hpspmd;
    const Procs1 p;
    const ExtBlockRange x(n, p.dim(0), 1, 1);
    const auto a = create<double>(p, x, n);
    const Block own = x.localBlock();
    const int rank = p.rank(), size = p.size();
    const ByHand byHand{a.data() + a.stride(0) * own.localBase, own.count, a.stride(0),
                        rank > 0 ? rank - 1 : MPI_PROC_NULL,
                        rank + 1 < size ? rank + 1 : MPI_PROC_NULL};
    Latency latency;
    std::vector<double> lines, rows, halos, reductions, sums;
    for (int round = 0; round < rounds; ++round) {
        if (size > 1) lines.push_back(timeOf(latency) / 2);
        rows.push_back(timeOf(byHand));
        halos.push_back(timeOf([&] { Adlib::writeHalo(a); }));
        double value = rank;
        reductions.push_back(timeOf(
            [&] { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); }));
        sums.push_back(timeOf([&] { value = Adlib::maxval(value); }));
    }
    if (rank != 0) return;
    std::printf("%ld x %ld, %d processes: ", n, n, size);
    if (size > 1) std::printf("cache line %.3f, ", median(lines) * 1e6);
    std::printf("rows by hand %.3f, writeHalo %.3f, MPI_Allreduce %.3f, maxval %.3f us\n",
                median(rows) * 1e6, median(halos) * 1e6, median(reductions) * 1e6,
                median(sums) * 1e6);
}

}  // namespace

int main(int argc, char** argv) { measure(bench::arguments(argc, argv, 512, 0).first); }
