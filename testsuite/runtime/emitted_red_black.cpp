// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program of language.md section 1 as hpcc emits it, with the ghost exchange written by hand
/// on comm(): the runtime without Adlib. Process 0 compares the sum with a sequential run.

#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace hpspmd;

using Matrix = hpspmd::Array<double, hpspmd::Dist, hpspmd::Dist>;

// Fills the ghost cells of dimension d from the neighbours in d.
static void exchange(const Matrix& a, int d) {
    const Range x = a.rng(d), other = a.rng(1 - d);
    MPI_Comm line = comm(a.grp() / DistributedIndex(other, other.localBlock(), 0));
    const int crd = x.dim().crd(), last = x.location(x.size() - 1).crd;
    if (crd > last) return;
    const int below = crd > 0 ? crd - 1 : MPI_PROC_NULL;
    const int above = crd < last ? crd + 1 : MPI_PROC_NULL;
    MPI_Datatype face;
    MPI_Type_vector(int(a.localExtent(1 - d)), 1, int(a.stride(1 - d)), MPI_DOUBLE, &face);
    MPI_Type_commit(&face);
    double *const first = a.data(), *const end = first + a.localExtent(d) * a.stride(d);
    MPI_Sendrecv(first, 1, face, below, 0, end, 1, face, above, 0, line, MPI_STATUS_IGNORE);
    MPI_Sendrecv(end - a.stride(d), 1, face, above, 1, first - a.stride(d), 1, face, below, 1, line,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&face);
}

static void relax(Matrix a, int sweeps) {
    Range x = a.rng(0), y = a.rng(1);
    const Index n = x.size();
    for (int it = 0; it < sweeps; ++it) {
        exchange(a, 0), exchange(a, 1);
        hpspmd::detail::check(a, "a",
                              {hpspmd::detail::over(x, -1, 1), hpspmd::detail::over(y, -1, 1)});
        {
            const hpspmd::detail::Active i_active(x.dim());
            for (const hpspmd::Block& i_block : x.localBlocks(1, n - 2))
                for (hpspmd::Index i_k = 0; i_k < i_block.count; ++i_k) {
                    const hpspmd::DistributedIndex i(x, i_block, i_k);
                    {
                        const hpspmd::detail::Active j_active(y.dim());
                        for (const hpspmd::Block& j_block :
                             y.localBlocks(1 + (i.global + it) % 2, n - 2, 2))
                            for (hpspmd::Index j_k = 0; j_k < j_block.count; ++j_k) {
                                const hpspmd::DistributedIndex j(y, j_block, j_k);
                                a.data()[a.stride(0) * i.sub + a.stride(1) * j.sub] =
                                    0.25 * (a.data()[a.stride(0) * (i.sub - i.shift * (1)) +
                                                     a.stride(1) * j.sub] +
                                            a.data()[a.stride(0) * (i.sub + i.shift * (1)) +
                                                     a.stride(1) * j.sub] +
                                            a.data()[a.stride(0) * i.sub +
                                                     a.stride(1) * (j.sub - j.shift * (1))] +
                                            a.data()[a.stride(0) * i.sub +
                                                     a.stride(1) * (j.sub + j.shift * (1))]);
                            }
                    }
                }
        }
    }
}

static double sequential(Index n, int sweeps) {
    std::vector<double> a(static_cast<std::size_t>(n * n));
    const auto at = [&](Index i, Index j) -> double& {
        return a[static_cast<std::size_t>(i * n + j)];
    };
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            if (i == 0 || i == n - 1 || j == 0 || j == n - 1) at(i, j) = double(i * i - 2 * j * j);
    for (int it = 0; it < sweeps; ++it)
        for (Index i = 1; i <= n - 2; ++i)
            for (Index j = 1 + (i + it) % 2; j <= n - 2; j += 2)
                at(i, j) = 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
    double sum = 0;
    for (double v : a) sum += v;
    return sum;
}

int main() {
    const Index n = 31;
    const int sweeps = 20;
    Procs2 p;
    if (const hpspmd::detail::On p_on{p}) {
        ExtBlockRange x(n, p.dim(0), 1, 1), y(n, p.dim(1), 1, 1);
        Matrix a = hpspmd::create<double>(hpspmd::apg(), x, y);
        {
            const hpspmd::detail::Active i_active(x.dim());
            for (const hpspmd::Block& i_block : x.localBlocks())
                for (hpspmd::Index i_k = 0; i_k < i_block.count; ++i_k) {
                    const hpspmd::DistributedIndex i(x, i_block, i_k);
                    const hpspmd::detail::Active j_active(y.dim());
                    for (const hpspmd::Block& j_block : y.localBlocks())
                        for (hpspmd::Index j_k = 0; j_k < j_block.count; ++j_k) {
                            const hpspmd::DistributedIndex j(y, j_block, j_k);
                            a.data()[a.stride(0) * i.sub + a.stride(1) * j.sub] =
                                (i.global == 0 || i.global == n - 1 || j.global == 0 ||
                                 j.global == n - 1)
                                    ? double(i.global * i.global - 2 * j.global * j.global)
                                    : 0.0;
                        }
                }
        }
        relax(a, sweeps);
        double own = 0, sum = 0;
        hpspmd::detail::overall(x, hpspmd::Triplet(), [&](const hpspmd::DistributedIndex& i) {
            return hpspmd::detail::overall(
                y, hpspmd::Triplet(), [&](const hpspmd::DistributedIndex& j) {
                    return a.data()[a.stride(0) * i.sub + a.stride(1) * j.sub];
                });
        }).forEach([&](double v, const auto&...) { own += v; });
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, comm(apg()));
        const double expected = sequential(n, sweeps);
        if (apg().rank() == 0)
            std::printf("sum = %.6f, %s in one process\n", sum,
                        std::abs(sum - expected) <= 1e-9 * std::abs(expected) ? "as" : "not as");
    }
}
