// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs on a device print beside the time of their first run, on standard error: seconds of
// later runs with all copies, and of runs on what is there.
#pragma once

#ifndef __CUDACC__
#include <adlib/maxval.hpp>
#endif
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace again {

// Seconds of `run`, each time behind `before`.
template <class Before, class Run>
double median(int turns, Before before, Run run) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn) {
        before();
        const auto begin = Clock::now();
        run();
        times.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// The largest of all processes; by hand there is one.
inline double ofAll(double seconds) {
#ifdef __CUDACC__
    return seconds;
#else
    return hpspmd::Adlib::maxval(seconds);
#endif
}

// `fill` stores at home what `run` takes, `home` reads there what it gives, `wait` ends when the
// device has done it, which itself may take as long as a short run: of those there are more in a
// row, as many on all processes.
template <class Fill, class Run, class Home, class Wait>
void time(const char* what, Fill fill, Run run, Home home, Wait wait) {
    const double copied = median(7, fill, [&] {
        run();
        home();
    });
    const double once = ofAll(median(3, wait, [&] {
        run();
        wait();
    }));
    const int runs = static_cast<int>(std::min(100.0, std::max(10.0, 0.05 / once)));
    const double there = median(
        5, [] {},
        [&] {
            for (int k = 0; k < runs; ++k) run();
            wait();
        });
    std::fprintf(stderr, "%s again %.7f s, there %.7f s\n", what, copied, there / runs);
}

}  // namespace again
