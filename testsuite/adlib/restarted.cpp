// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// restarted STATE RESULT STEPS LAYOUT [AT]: relaxation of a grid, whose sum changes it, too;
/// LAYOUT is rows, columns or grid. Goes on from the checkpoint STATE, if there is one, and writes
/// the grid after STEPS to RESULT. With AT: a checkpoint before that step, and the last process is
/// killed some steps later.

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <string>

using namespace hpspmd;

namespace {

constexpr Index rows = 37, columns = 29;

Procs2 grid(const std::string& layout) {
    const int size = apg().size();
    if (layout == "grid") return Procs2();
    return layout == "rows" ? Procs2(size, 1) : Procs2(1, size);
}

using Field = Array<double, Dist, Dist>;

void sweep(const Field& a, const Field& b) {
    Adlib::writeHalo(a);
    Adlib::copy(b, a);  // the edges
    for (auto i : overall(a.rng(0), 1, rows - 2))
        for (auto j : overall(a.rng(1), 1, columns - 2))
            b(i, j) =
                0.23 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)) + 0.01 * a(i, j);
    const double sum = Adlib::sum(b);
    for (auto i : overall(a.rng(0)))
        for (auto j : overall(a.rng(1))) b(i, j) += 1e-5 * sum;
}

}  // namespace

int main(int count, char** words) {
    const Index steps = std::atoll(words[3]), at = count > 5 ? std::atoll(words[5]) : -1;
    const Procs2 p = grid(words[4]);
    const detail::On on(p);
    const ExtBlockRange x(rows, p.dim(0), 1, 1), y(columns, p.dim(1), 1, 1);
    Field a = create<double>(p, x, y), b = clone(a);
    for (auto i : overall(x))
        for (auto j : overall(y))
            a(i, j) = b(i, j) = static_cast<double>((i.global * 7 + j.global * 3) % 11);
    Index step = 0;
    Adlib::Checkpoint state(words[1]);
    state("a", a)("step", step);
    if (state.restore()) Adlib::gprintln("begins at ", step);
    for (; step < steps; ++step) {
        if (step == at) state.now();
        if (at >= 0 && step == at + 2 && apg().rank() == apg().size() - 1) std::raise(SIGKILL);
        sweep(a, b);
        std::swap(a, b);
    }
    Adlib::write(words[2], a);
}
