// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving whole matrices between processes, in one program and in turns. An n x n matrix of doubles:
// * remap, from distributed rows to distributed columns, beside blocks packed by hand for
//   MPI_Alltoallv;
// * transpose, b += transposed a; a += 1 (the kernel of the Parallel Research Kernels), of
//   distributed rows, beside tiles transposed by hand into messages, and beside reading the other
//   processes' memory by MPI-3 shared memory.
// Prints medians in milliseconds and the rival's time / ours. Arguments: n (4000), rounds (21).
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <algorithm>
#include <cmath>

#include "../latency.hpp"

namespace {

using bench::median;
using Matrix = double*;
constexpr long tile = 32;

/// This process's share of a matrix whose rows, or columns, are dealt out in blocks.
struct Share {
    long n, count, first;
    int size, rank;

    explicit Share(long extent) : n(extent) {
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        first = begin(rank);
        count = begin(rank + 1) - first;
    }
    long block() const { return (n + size - 1) / size; }
    long begin(int process) const { return std::min(n, process * block()); }
    long countOf(int process) const { return begin(process + 1) - begin(process); }
};

/// MPI_Alltoallv of rows x columns blocks; counts and displacements are made once.
class AllToAll {
public:
    explicit AllToAll(const Share& own) : own_(own) {
        int place = 0;
        for (int q = 0; q < own.size; ++q) {
            counts_.push_back(static_cast<int>(own.count * own.countOf(q)));
            places_.push_back(place);
            place += counts_.back();
        }
        out_.resize(static_cast<std::size_t>(place));
        in_.resize(out_.size());
    }

    /// columns[i][j - first] = rows[i - first][j]
    void remap(Matrix columns, const double* rows) {
        for (int q = 0; q < own_.size; ++q)
            for (long i = 0; i < own_.count; ++i)
                std::copy_n(rows + i * own_.n + own_.begin(q), own_.countOf(q),
                            out_.data() + places_[q] + i * own_.countOf(q));
        exchange();
        std::copy(in_.begin(), in_.end(), columns);  // blocks of rows follow one another
    }

    /// b[i][j] += a[j][i], a += 1
    void transpose(Matrix b, Matrix a) {
        for (int q = 0; q < own_.size; ++q) packTransposed(q, a);
        exchange();
        for (int q = 0; q < own_.size; ++q) {
            const double* block = in_.data() + places_[q];
            for (long i = 0; i < own_.count; ++i) {
                double* const row = b + i * own_.n + own_.begin(q);
                for (long j = 0; j < own_.countOf(q); ++j) row[j] += *block++;
            }
        }
    }

private:
    void exchange() {
        MPI_Alltoallv(out_.data(), counts_.data(), places_.data(), MPI_DOUBLE, in_.data(),
                      counts_.data(), places_.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    }

    void packTransposed(int q, Matrix a) {
        double* const block = out_.data() + places_[q];
        const long rows = own_.count, columns = own_.countOf(q), first = own_.begin(q);
        for (long jj = 0; jj < columns; jj += tile)
            for (long ii = 0; ii < rows; ii += tile)
                for (long j = jj; j < std::min(columns, jj + tile); ++j)
                    for (long i = ii; i < std::min(rows, ii + tile); ++i) {
                        block[j * rows + i] = a[i * own_.n + first + j];
                        a[i * own_.n + first + j] += 1;
                    }
    }

    Share own_;
    std::vector<int> counts_, places_;
    std::vector<double> out_, in_;
};

/// The rows of all processes, each in the memory of its own, which all can read.
class SharedRows {
public:
    explicit SharedRows(const Share& own) : own_(own) {
        void* memory = nullptr;
        MPI_Win_allocate_shared(own.count * own.n * static_cast<long>(sizeof(double)),
                                sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_);
        for (int q = 0; q < own.size; ++q) {
            MPI_Aint bytes = 0;
            int unit = 0;
            MPI_Win_shared_query(window_, q, &bytes, &unit, &memory);
            rows_.push_back(static_cast<double*>(memory));
        }
    }
    ~SharedRows() { MPI_Win_free(&window_); }

    Matrix own() const { return rows_[static_cast<std::size_t>(own_.rank)]; }

    void transpose(Matrix b) const {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int q = 0; q < own_.size; ++q) {
            const double* const a = rows_[static_cast<std::size_t>(q)] + own_.first;
            const long columns = own_.countOf(q);
            double* const block = b + own_.begin(q);
            for (long ii = 0; ii < own_.count; ii += tile)
                for (long jj = 0; jj < columns; jj += tile)
                    for (long i = ii; i < std::min(own_.count, ii + tile); ++i)
                        for (long j = jj; j < std::min(columns, jj + tile); ++j)
                            block[i * own_.n + j] += a[j * own_.n + i];
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (long k = 0; k < own_.count * own_.n; ++k) own()[k] += 1;
    }

private:
    Share own_;
    MPI_Win window_;
    std::vector<double*> rows_;
};

template <class Function>
double longestTimeOf(const Function& f) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    f();
    double mine = bench::seconds() - start, longest = 0;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

/// Of rows that follow one another by hand, and may have a gap between them in the array.
template <class Array>
void requireEqual(const double* byHand, const Array& ours, long rows, long columns,
                  const char* what) {
    for (long i = 0; i < rows; ++i) {
        const double* const row = byHand + i * columns;
        if (std::equal(row, row + columns, ours.data() + i * ours.stride(0))) continue;
        std::fprintf(stderr, "bench/remap: %s: the answers differ\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void number(const Share& own, Matrix rows) {
    for (long k = 0; k < own.count * own.n; ++k)
        rows[k] = static_cast<double>(own.first * own.n + k);
}

void measureRemap(const Share& own, int rounds) {
    using namespace hpspmd;
    const Procs1 p;
    const BlockRange x(own.n, p.dim(0));
    const auto rows = create<double>(p, x, own.n);
    const auto columns = create<double>(p, own.n, x);
    std::vector<double> plain(static_cast<std::size_t>(own.n * own.count));
    number(own, rows.data());
    AllToAll rival(own);
    std::vector<double> byHand, ours;
    for (int round = 0; round < rounds; ++round) {
        byHand.push_back(longestTimeOf([&] { rival.remap(plain.data(), rows.data()); }));
        ours.push_back(longestTimeOf([&] { Adlib::remap(columns, rows); }));
    }
    requireEqual(plain.data(), columns, own.n, own.count, "remap");
    if (own.rank == 0)
        std::printf("remap %ld, %d processes: Alltoallv %.2f, remap %.2f ms: %.2f\n", own.n,
                    own.size, median(byHand) * 1e3, median(ours) * 1e3,
                    median(byHand) / median(ours));
}

void measureTranspose(const Share& own, int rounds) {
    using namespace hpspmd;
    const Procs1 p;
    const BlockRange x(own.n, p.dim(0));
    const auto a = create<double>(p, x, own.n), b = like(a);
    const auto size = static_cast<std::size_t>(own.n * own.count);
    std::vector<double> plainA(size), plainB(size), sharedB(size);
    SharedRows shared(own);
    AllToAll rival(own);
    for (Matrix rows : {plainA.data(), shared.own(), a.data()}) number(own, rows);
    std::vector<double> byHand, byMemory, ours;
    for (int round = 0; round < rounds; ++round) {
        byHand.push_back(longestTimeOf([&] { rival.transpose(plainB.data(), plainA.data()); }));
        byMemory.push_back(longestTimeOf([&] { shared.transpose(sharedB.data()); }));
        ours.push_back(longestTimeOf([&] {
            Adlib::transpose(b, a, {1, 0}, std::plus<>());
            for (long i = 0; i < own.count; ++i)
                for (long j = 0; j < own.n; ++j) a.data()[i * a.stride(0) + j] += 1;
        }));
    }
    requireEqual(plainB.data(), b, own.count, own.n, "transpose");
    requireEqual(sharedB.data(), b, own.count, own.n, "transpose by shared memory");
    if (own.rank == 0)
        std::printf(
            "transpose %ld, %d processes: Alltoallv %.2f, MPI shared memory %.2f, ours %.2f ms: "
            "%.2f, %.2f\n",
            own.n, own.size, median(byHand) * 1e3, median(byMemory) * 1e3, median(ours) * 1e3,
            median(byHand) / median(ours), median(byMemory) / median(ours));
}

}  // namespace

int main(int argc, char** argv) {
    const auto [n, rounds] = bench::arguments(argc, argv, 4000, 21);
    if (n % 8 != 0) {
        std::fprintf(stderr, "bench/remap: n must be a multiple of 8, so that rows have no gaps\n");
        return 1;
    }
    hpspmd::apg();
    measureRemap(Share(n), static_cast<int>(rounds));
    measureTranspose(Share(n), static_cast<int>(rounds));
}
