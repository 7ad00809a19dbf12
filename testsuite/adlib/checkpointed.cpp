// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// checkpointed FILE STEPS: element i is increased by i + step in each step. Says where it begins,
/// and each step that is saved; ends with 1 if what it finds is no state of that computation.

#include <cstdio>
#include <cstdlib>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <string>

using namespace hpspmd;

int main(int, char** argv) {
    const Index steps = std::atoll(argv[2]), n = 20000;
    const Procs1 p;
    const detail::On on(p);
    auto a = create<Index>(p, CyclicRange(n, p.dim(0)));
    for (auto i : overall(a.rng(0))) a(i) = 0;
    Index step = 0;
    std::string text;
    Adlib::Checkpoint state(argv[1]);
    state("a", a)("step", step)("text", text);
    if (state.restore()) Adlib::gprintln("begins at ", step);
    Index wrong = 0;
    const auto check = [&] {
        for (auto i : overall(a.rng(0))) wrong += a(i) != step * i.global + step * (step - 1) / 2;
        wrong += text.size() != static_cast<std::size_t>(step % 50);
    };
    check();
    for (; step < steps; ++step) {
        if (state.every(20)) Adlib::gprintln("saved ", step);
        for (auto i : overall(a.rng(0))) a(i) += i.global + step;
        text = std::string(static_cast<std::size_t>((step + 1) % 50), 'x');
    }
    check();
    if (Adlib::sum(wrong) > 0) return 1;
    Adlib::gprintln("done");
}
