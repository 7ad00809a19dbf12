// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A job whose last process is struck by a signal; kills.py runs it. Arguments: operation, phase
/// and number of the signal; -1 for _Exit(0), -2 for quick_exit(3). The phases: "before" the
/// others' operation, "between" its start and its end or, where it has no halves, in the middle of
/// many, and "after" it, before the next one.

#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

using namespace hpspmd;

namespace {

void strike(int signal) {
    using namespace std::chrono;
    const double now = duration<double>(system_clock::now().time_since_epoch()).count();
    std::fprintf(stderr, "struck at %.3f\n", now);
    // UCX catches these two, and lets the process go on if another one has sent them.
    if (signal == SIGABRT) std::abort();
    if (signal == -1) std::_Exit(0);
    if (signal == -2) std::quick_exit(3);
    if (signal == SIGSEGV) *static_cast<volatile int*>(nullptr) = 1;
    ::kill(::getpid(), signal);
    std::this_thread::sleep_for(seconds(20));
}

struct Halves {
    std::function<void()> start, finish;
};

}  // namespace

int main(int, char** argv) {
    const std::string operation = argv[1], phase = argv[2];
    const int signal = std::atoi(argv[3]);
    const Procs1 p;
    const On active{p};
    const Index n = 20'000 * p.size();
    const ExtBlockRange x(n, p.dim(0), 1, 1);
    const CyclicRange y(n, p.dim(0));
    const CollapsedRange z(8);
    const auto a = create<double>(p, x), b = create<double>(p, y), c = create<double>(p, x);
    const auto wide = create<double>(p, x, z), high = create<double>(p, z, x);
    const auto column = create<double>(p, x);
    const auto shifts = create<int>(p);
    const auto s = create<Index>(p, x);
    for (auto i : overall(x)) s(i) = (i.global * 7) % n;
    Adlib::WriteHalo halo(a);
    Adlib::Remap remap(b, a);
    Adlib::Cshift cshift(c, a, 5, 0);
    Adlib::Sum sum(a);
    Adlib::Shift shift(c, a, 7);
    Adlib::Skew skew(c, a, shifts, 0);
    Adlib::WriteHalos halos(a, c);
    Adlib::Maxloc maxloc(a);
    Adlib::DotProduct dotProduct(a, c);
    const auto firstElements = create<double>(p, 16);
    const auto get = [&] {
        Adlib::fence(b);
        Adlib::get(firstElements, section(b, Triplet(0, 15)));
    };
    const std::map<std::string, std::function<void()>> whole = {
        {"writeHalo", [&] { Adlib::writeHalo(a); }},
        {"remap", [&] { Adlib::remap(b, a); }},
        {"transpose",
         [&] {
             Adlib::transpose(high, wide, {1, 0});
         }},
        {"cshift", [&] { Adlib::cshift(c, a, 5, 0); }},
        {"sum", [&] { Adlib::sum(a); }},
        {"sumDim", [&] { Adlib::sumDim(column, wide, 1), Adlib::sum(column); }},
        {"gather", [&] { Adlib::gather(c, a, s); }},
        {"scatter", [&] { Adlib::scatter(c, a, s); }},
        {"scan", [&] { Adlib::scan(c, a, std::plus<>()); }},
        {"broadcast", [&] { Adlib::sum(Adlib::maxval(a)); }},
        {"shift", [&] { Adlib::shift(c, a, 7); }},
        {"skew", [&] { Adlib::skew(c, a, shifts, 0); }},
        {"writeHalos", [&] { Adlib::writeHalo(a, c); }},
        {"maxloc", [&] { Adlib::maxloc(a); }},
        {"dotProduct", [&] { Adlib::dotProduct(a, c); }},
        {"reduce", [&] { Adlib::reduce(a, std::plus<>(), 0.0); }},
        {"reproducibleSum", [&] { Adlib::sum(Adlib::reproducible, a); }},
        {"fence", [&] { get(), Adlib::fence(b); }}};
    const std::map<std::string, Halves> halves = {
        {"writeHalo", {[&] { halo.start(); }, [&] { halo.finish(); }}},
        {"remap", {[&] { remap.start(); }, [&] { remap.finish(); }}},
        {"cshift", {[&] { cshift.start(); }, [&] { cshift.finish(); }}},
        {"sum", {[&] { sum.start(); }, [&] { sum.finish(); }}},
        {"shift", {[&] { shift.start(); }, [&] { shift.finish(); }}},
        {"skew", {[&] { skew.start(); }, [&] { skew.finish(); }}},
        {"writeHalos", {[&] { halos.start(); }, [&] { halos.finish(); }}},
        {"maxloc", {[&] { maxloc.start(); }, [&] { maxloc.finish(); }}},
        {"dotProduct", {[&] { dotProduct.start(); }, [&] { dotProduct.finish(); }}},
        {"fence", {get, [&] { Adlib::fence(b); }}}};
    const auto& run = whole.at(operation);
    const bool isVictim = p.rank() == p.size() - 1;
    run();
    const auto entry = halves.find(operation);
    if (isVictim && phase == "before") strike(signal);
    if (isVictim && phase == "between" && entry == halves.end())
        std::thread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            strike(signal);
        }).detach();
    for (int k = 0; k < 1'000'000'000; ++k) {
        if (phase == "between" && entry != halves.end()) {
            entry->second.start();
            if (isVictim) strike(signal);
            entry->second.finish();
        } else {
            run();
        }
        if (isVictim && phase == "after") strike(signal);
    }
    return 0;
}
