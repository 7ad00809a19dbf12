// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One operation, several times; the first argument names it, "list" names all. Says which MPI
/// calls of each process belong to it: fault_test makes one of them fail.

#include <hpspmd>

#include <cstdio>
#include <cstring>

#include "fault.hpp"

using namespace hpspmd;

namespace {

struct Arrays {
    Procs1 p;
    ExtBlockRange x{40, p.dim(0), 1, 1};
    Array<double, Dist, Seq> a = create<double>(p, x, 6), b = create<double>(p, x, 6);
    Array<double, Seq, Dist> columns = create<double>(p, 40, BlockRange(6, p.dim(0)));
    Array<double, Dist, Seq> rows = create<double>(p, BlockRange(6, p.dim(0)), 40);
    Array<double, Dist> v = create<double>(p, x), w = create<double>(p, x);
    Array<double, Dist> cyclic = create<double>(p, CyclicRange(40, p.dim(0)));
    Array<double, Seq> local = create<double>(p, 40), old = create<double>(p, 40);
    Array<double, Seq> lineSums = create<double>(p, 6);
    Array<int, Dist> places = create<int>(p, x);
    Array<int, Seq> shifts = create<int>(p, 6), lineAt = create<int>(p, 6);

    Arrays() {
        for (Index k = 0; k < places.localExtent(0); ++k)
            places.data()[k] = static_cast<int>(7 * k % 40);
        for (int k = 0; k < 6; ++k) shifts.data()[k] = 5 * k;
    }
};

struct Operation {
    const char* name;
    void (*run)(Arrays& of);
};

const Operation operations[] = {
    {"remap", [](Arrays& of) { Adlib::remap(of.columns, of.a); }},
    {"replicate", [](Arrays& of) { Adlib::remap(of.local, of.v); }},
    {"transpose",
     [](Arrays& of) {
         Adlib::transpose(of.rows, of.a, {1, 0});
     }},
    {"writeHalo", [](Arrays& of) { Adlib::writeHalo(of.a); }},
    {"writeHalos", [](Arrays& of) { Adlib::writeHalo(of.a, of.v); }},
    {"haloUnderWay",
     [](Arrays& of) {
         detail::HaloUnderWay halo(of.a);
         detail::NestParts parts(halo, true, detail::Margin(detail::Run(of.x), 1, 1));
         while (parts.next()) continue;
     }},
    {"shift", [](Arrays& of) { Adlib::shift(of.b, of.a, 3); }},
    {"cshift", [](Arrays& of) { Adlib::cshift(of.b, of.a, -3); }},
    {"skew", [](Arrays& of) { Adlib::skew(of.b, of.a, of.shifts, 0); }},
    {"cskew", [](Arrays& of) { Adlib::cskew(of.b, of.a, of.shifts, 0); }},
    {"gather", [](Arrays& of) { Adlib::gather(of.v, of.cyclic, of.places); }},
    {"scatter", [](Arrays& of) { Adlib::scatter(of.cyclic, of.v, of.places); }},
    {"combine", [](Arrays& of) { Adlib::scatter(std::plus<>(), of.cyclic, of.v, of.places); }},
    {"sum", [](Arrays& of) { Adlib::sum(of.a); }},
    {"maxloc", [](Arrays& of) { Adlib::maxloc(of.a); }},
    {"sumDim", [](Arrays& of) { Adlib::sumDim(of.lineSums, of.a, 0); }},
    {"maxlocDim", [](Arrays& of) { Adlib::maxlocDim(of.lineSums, of.lineAt, of.a, 0); }},
    {"inTwoHalves",
     [](Arrays& of) {
         Adlib::DotProductDim schedule(of.lineSums, of.a, of.b, 0);
         Adlib::Minloc place(of.v);
         schedule.start();
         place.start();
         schedule.finish();
         place.finish();
     }},
    {"dotProduct", [](Arrays& of) { Adlib::dotProduct(of.a, of.b); }},
    {"reproducible", [](Arrays& of) { Adlib::sum(Adlib::reproducible, of.a); }},
    {"value", [](Arrays&) { Adlib::maxval(apg().rank()); }},
    {"broadcast", [](Arrays& of) { Adlib::broadcast(of.p.rank()); }},
    {"scan", [](Arrays& of) { Adlib::scan(of.w, of.v, std::plus<>()); }},
    {"oneSided",
     [](Arrays& of) {
         Adlib::fence(of.v);
         Adlib::get(of.local, of.v);
         Adlib::accumulate(of.v, of.local);
         Adlib::fetchAdd(of.old, of.v, 1);
         Adlib::fence(of.v);
     }},
    {"overlap",
     [](Arrays& of) {
         Adlib::remap(section(of.v, Triplet(0, 9)), section(of.v, Triplet(20, 29)));
     }},
    {"aprintf", [](Arrays& of) { Adlib::aprintf("%g%40N", of.v); }},
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 99;
    if (std::strcmp(argv[1], "list") == 0)
        for (const Operation& operation : operations) std::puts(operation.name);
    for (const Operation& operation : operations) {
        if (std::strcmp(argv[1], operation.name) != 0) continue;
        Arrays arrays;
        const long before = detail::faultableCalls();
        for (int k = 0; k < 5; ++k) operation.run(arrays);
        std::printf("calls of %d: %ld %ld.\n", apg().rank(), before, detail::faultableCalls());
    }
    return 0;
}
