// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program that is linked without MPI: halos, and a reduction on all processes.

#include <hpspmd>

#include <cstdio>

using namespace hpspmd;

int main() {
    const Index n = 24;
    Procs1 p;
    const detail::Activate in(p);
    ExtBlockRange x(n, p.dim(0), 1, 1);
    CollapsedRange y(n);
    auto a = create<double>(p, x, y);
    for (const Block& block : x.localBlocks())
        for (Index k = 0; k < block.count; ++k)
            for (Index j = 0; j < n; ++j)
                a.data()[(block.localBase + k * block.localStep) * a.stride(0) + j * a.stride(1)] =
                    double((block.globalBase + k * block.globalStep) * n + j);
    Adlib::writeHalo(a);
    const double sum = Adlib::sum(a);
    if (p.rank() == 0) std::printf("%d processes, sum %g\n", p.size(), sum);
    return sum == double(n * n * (n * n - 1) / 2) ? 0 : 1;
}
