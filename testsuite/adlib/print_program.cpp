// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gprint, gprintln and aprintf: the output is print_program.expected on any number of processes.

#include <complex>
#include <hpspmd>

using namespace hpspmd;

namespace {

template <class A, class F>
void set(const A& a, const F& f) {
    if (!a.grp().amMember()) return;
    for (const Block b : a.rng(0).localBlocks())
        for (Index k = 0; k < b.count; ++k)
            a.data()[a.stride(0) * (b.localBase + k * b.localStep)] =
                f(b.globalBase + k * b.globalStep);
}

}  // namespace

int main() {
    Adlib::gprintln("one line from all processes");
    Adlib::gprint("pieces: ", 1, ' ', 2.5, ' ', std::string("three"), ' ');
    Adlib::gprintln(true, " ", std::complex<double>(1, -1), " ", -7L);
    Adlib::gprintln();

    const Procs1 p;
    const detail::On on(p);
    if (!on) return 0;
    const auto a = create<double>(p, BlockRange(10, p.dim(0)));
    const auto b = create<int>(p, BlockCyclicRange(10, p.dim(0), 2));
    const auto c = create<unsigned char>(p, CyclicRange(10, p.dim(0)));
    const auto d = create<bool>(p, 10);
    set(a, [](Index i) { return static_cast<double>(i) / 4; });
    set(b, [](Index i) { return static_cast<int>(100 - 30 * i); });
    set(c, [](Index i) { return static_cast<unsigned char>('a' + i); });
    set(d, [](Index i) { return i % 3 == 0; });
    Adlib::aprintf("%6.2f%4N", a);
    Adlib::aprintf("%2R0: %5.1f %+5d %c %#04x %d%N", a, b, section(c, Triplet()), c, d);
    Adlib::aprintf("%d ", section(b, Triplet(9, 0, -3)));
    Adlib::gprintln("<- every third, from the end");
    Adlib::aprintf("100%% %ld%10N", b);

    const auto m = create<long double>(p, 2, BlockRange(3, p.dim(0)));
    Adlib::aprintf("(%R0,%R1) %Lg%3N", m);
    Adlib::aprintf("%g%N", create<float>(p));
    Adlib::aprintf("nothing %d%N", section(b, Triplet(3, 2)));

    // More elements than travel at a time.
    const auto big = create<int>(p, CyclicRange(70000, p.dim(0)));
    set(big, [](Index i) { return i % 10000 == 9999 ? 1 : 0; });
    Adlib::aprintf("%.0d%70000N", big);
}
