// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each operation of Adlib beside the same written by hand with MPI, in one program and in turns,
// for messages of 8 bytes, 8 KiB and 1 MiB of doubles. Prints a table of medians in microseconds:
// by hand; the function; the executor (a schedule's execute()); the inspector (making a schedule);
// and by hand / function. Above it, how long a cache line takes from one core to the other, which
// varies on virtual machines.
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "../bench.hpp"
#include "../latency.hpp"

namespace {

using namespace hpspmd;
using bench::median;
using bench::timeOf;
using Action = std::function<void()>;

int size() { return apg().size(); }
int rank() { return apg().rank(); }

/// One line of the table: what is done by hand, by the function, by a schedule, and making that.
void compare(const char* name, long bytes, const Action& byHand, const Action& function,
             const Action& execute, const Action& inspect) {
    const int repeats = bytes > 100'000 ? 10 : 100;
    std::vector<double> times[4];
    const Action* const actions[] = {&byHand, &function, &execute, &inspect};
    for (int round = 0; round < 21; ++round)
        for (int k = 0; k < 4; ++k) times[k].push_back(timeOf(repeats, *actions[k]));
    if (rank() == 0)
        std::printf("%-11s %8ld %3d %10.2f %10.2f %10.2f %10.2f %6.2f\n", name, bytes, size(),
                    median(times[0]) * 1e6, median(times[1]) * 1e6, median(times[2]) * 1e6,
                    median(times[3]) * 1e6, median(times[0]) / median(times[1]));
}

void sendReceive(const double* out, double* in, long count, int to, int from) {
    MPI_Sendrecv(out, static_cast<int>(count), MPI_DOUBLE, to, 0, in, static_cast<int>(count),
                 MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int neighbour(int distance) { return (rank() + distance + size()) % size(); }

/// The vectors of all lines: n elements in each process, in blocks.
struct Vectors {
    Procs1 p;
    long n;
    BlockRange x{n * size(), p.dim(0)};
    Array<double, Dist> a = create<double>(p, x), b = create<double>(p, x);
    std::vector<double> in = std::vector<double>(static_cast<std::size_t>(n) * size());
    std::vector<double> out = in;

    explicit Vectors(long bytes) : n(bytes / 8) {
        std::iota(a.data(), a.data() + n, rank() * n);
        std::iota(b.data(), b.data() + n, 1.5);
    }
};

void writeHalo(long bytes) {
    const Vectors v(bytes);
    const ExtBlockRange rows(4 * size(), v.p.dim(0), 1, 1);
    const auto a = create<double>(v.p, rows, v.n);
    const long pitch = a.stride(0);
    Adlib::WriteHalo schedule(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::None});
    compare(
        "writeHalo", bytes,
        [&] {
            sendReceive(a.data(), a.data() + 4 * pitch, v.n, neighbour(-1), neighbour(1));
            sendReceive(a.data() + 3 * pitch, a.data() - pitch, v.n, neighbour(1), neighbour(-1));
        },
        [&] {
            Adlib::writeHalo(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::None});
        },
        [&] { schedule.execute(); },
        [&] {
            Adlib::WriteHalo(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::None});
        });
}

void cshift(long bytes) {
    Vectors v(bytes);
    const long cut = std::max<long>(1, v.n / 2);
    Adlib::Cshift schedule(v.b, v.a, cut);
    compare(
        "cshift", bytes,
        [&] {
            sendReceive(v.a.data(), v.b.data() + v.n - cut, cut, neighbour(-1), neighbour(1));
            std::copy_n(v.a.data() + cut, v.n - cut, v.b.data());
        },
        [&] { Adlib::cshift(v.b, v.a, cut); }, [&] { schedule.execute(); },
        [&] { Adlib::Cshift(v.b, v.a, cut); });
}

/// Blocks to cyclic.
void remap(long bytes) {
    Vectors v(bytes);
    const auto cyclic = create<double>(v.p, CyclicRange(v.n * size(), v.p.dim(0)));
    std::vector<int> sends(static_cast<std::size_t>(size())), sendAt = sends, takes = sends,
                                                              takeAt = sends;
    for (int q = 0, sent = 0, taken = 0; q < size(); ++q) {
        const auto k = static_cast<std::size_t>(q);
        const auto countOf = [&](int holder, int taker) {  // of its block, to whom x mod P points
            const long first = (taker - holder * v.n % size() + size()) % size();
            return static_cast<int>(v.n > first ? (v.n - first + size() - 1) / size() : 0);
        };
        sends[k] = countOf(rank(), q);
        takes[k] = countOf(q, rank());
        sendAt[k] = sent;
        takeAt[k] = taken;
        sent += sends[k];
        taken += takes[k];
    }
    Adlib::Remap schedule(cyclic, v.a);
    compare(
        "remap", bytes,
        [&] {
            for (int q = 0; q < size(); ++q) {
                const long first = (q - rank() * v.n % size() + size()) % size();
                double* out = v.out.data() + sendAt[static_cast<std::size_t>(q)];
                for (long t = first; t < v.n; t += size()) *out++ = v.a.data()[t];
            }
            MPI_Alltoallv(v.out.data(), sends.data(), sendAt.data(), MPI_DOUBLE, cyclic.data(),
                          takes.data(), takeAt.data(), MPI_DOUBLE, MPI_COMM_WORLD);
        },
        [&] { Adlib::remap(cyclic, v.a); }, [&] { schedule.execute(); },
        [&] { Adlib::Remap(cyclic, v.a); });
}

void replicate(long bytes) {
    Vectors v(bytes);
    const auto whole = create<double>(v.p, v.n * size());
    Adlib::Remap schedule(whole, v.a);
    compare(
        "replicate", bytes,
        [&] {
            MPI_Allgather(v.a.data(), static_cast<int>(v.n), MPI_DOUBLE, whole.data(),
                          static_cast<int>(v.n), MPI_DOUBLE, MPI_COMM_WORLD);
        },
        [&] { Adlib::remap(whole, v.a); }, [&] { schedule.execute(); },
        [&] { Adlib::Remap(whole, v.a); });
}

void gather(long bytes) {  // the whole vector backwards
    Vectors v(bytes);
    const auto places = create<long>(v.p, v.x);
    for (long k = 0; k < v.n; ++k) places.data()[k] = v.n * size() - 1 - (rank() * v.n + k);
    const int partner = size() - 1 - rank();
    Adlib::Gather schedule(v.b, v.a, places);
    compare(
        "gather", bytes,
        [&] {
            for (long k = 0; k < v.n; ++k)
                v.out[static_cast<std::size_t>(k)] = v.a.data()[v.n - 1 - k];
            sendReceive(v.out.data(), v.b.data(), v.n, partner, partner);
        },
        [&] { Adlib::gather(v.b, v.a, places); }, [&] { schedule.execute(); },
        [&] { Adlib::Gather(v.b, v.a, places); });
}

void sum(long bytes) {
    Vectors v(bytes);
    double total = 0;
    Adlib::Sum schedule(v.a);
    compare(
        "sum", bytes,
        [&] {
            total = std::accumulate(v.a.data(), v.a.data() + v.n, 0.0);
            MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        },
        [&] { total = Adlib::sum(v.a); }, [&] { total = schedule.execute(); },
        [&] { Adlib::Sum{v.a}; });
}

/// Columns of one row in each process.
void sumDim(long bytes) {
    const Vectors v(bytes);
    const auto a = create<double>(v.p, BlockRange(size(), v.p.dim(0)), v.n);
    const auto sums = create<double>(v.p, v.n);
    Adlib::SumDim schedule(sums, a, 0);
    compare(
        "sumDim", bytes,
        [&] {
            MPI_Allreduce(a.data(), sums.data(), static_cast<int>(v.n), MPI_DOUBLE, MPI_SUM,
                          MPI_COMM_WORLD);
        },
        [&] { Adlib::sumDim(sums, a, 0); }, [&] { schedule.execute(); },
        [&] { Adlib::SumDim(sums, a, 0); });
}

void scan(long bytes) {
    Vectors v(bytes);
    Adlib::Scan schedule(v.b, v.a, std::plus<>());
    compare(
        "scan", bytes,
        [&] {
            std::partial_sum(v.a.data(), v.a.data() + v.n, v.b.data());
            double before = 0;
            MPI_Exscan(v.b.data() + v.n - 1, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (rank() > 0)
                for (long k = 0; k < v.n; ++k) v.b.data()[k] += before;
        },
        [&] { Adlib::scan(v.b, v.a, std::plus<>()); }, [&] { schedule.execute(); },
        [&] { Adlib::Scan(v.b, v.a, std::plus<>()); });
}

/// Each process fetches the block of the next one between two fences.
void get(long bytes) {
    Vectors v(bytes);
    MPI_Win window;
    double* memory = nullptr;
    MPI_Win_allocate(v.n * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    std::copy_n(v.a.data(), v.n, memory);
    MPI_Win_fence(0, window);
    const auto local = create<double>(apg(), v.n);
    const auto part = section(v.a, Triplet(neighbour(1) * v.n, (neighbour(1) + 1) * v.n - 1));
    Adlib::fence(v.a);
    const Action ours = [&] {
        Adlib::get(local, part);
        Adlib::fence(v.a);
        Adlib::fence(v.a);
    };
    compare(
        "get", bytes,
        [&] {
            MPI_Get(v.in.data(), static_cast<int>(v.n), MPI_DOUBLE, neighbour(1), 0,
                    static_cast<int>(v.n), MPI_DOUBLE, window);
            MPI_Win_fence(0, window);
        },
        ours, ours, [] {});
    Adlib::fence(v.a);
    MPI_Win_free(&window);
}

/// Sums whose bits do not depend on the processes, beside the plain ones: 10^7 elements in all.
void reproducible() {
    const Vectors v(80'000'000 / size());
    double total = 0;
    std::vector<double> times[4];
    for (int round = 0; round < 11; ++round) {
        times[0].push_back(timeOf(1, [&] { total += Adlib::sum(v.a); }));
        times[1].push_back(timeOf(1, [&] { total += Adlib::sum(Adlib::reproducible, v.a); }));
        times[2].push_back(timeOf(1, [&] { total += Adlib::dotProduct(v.a, v.b); }));
        times[3].push_back(
            timeOf(1, [&] { total += Adlib::dotProduct(Adlib::reproducible, v.a, v.b); }));
    }
    if (rank() == 0)
        for (const int k : {0, 2})
            std::printf(
                "%s of 10^7 elements, %d processes: plain %.2f, reproducible %.2f ms: %.2f times\n",
                k == 0 ? "sum" : "dotProduct", size(), median(times[k]) * 1e3,
                median(times[k + 1]) * 1e3, median(times[k + 1]) / median(times[k]));
}

}  // namespace

int main() {
    apg();
    if (size() > 1) {
        const bench::Latency latency;
        const double line = timeOf(1000, [&] { latency(); }) / 2;
        if (rank() == 0) std::printf("a cache line's way: %.3f us\n", line * 1e6);
    }
    if (rank() == 0)
        std::printf(
            "operation      bytes  np    by hand   function    execute    inspect  ratio\n");
    for (const auto operation :
         {writeHalo, cshift, remap, replicate, gather, sum, sumDim, scan, get})
        for (const long bytes : {8L, 8192L, 1L << 20}) operation(bytes);
    reproducible();
}
