/// writeHalo of several arrays in one exchange: the same as one after the other.

#include <gtest/gtest.h>

#include <hpspmd>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

/// All slots of this process.
template <class A>
auto slotsOf(const A& a) {
    using T = typename A::Element;
    if (!a.grp().amMember()) return std::vector<T>();
    const T* first = a.data() - a.offset();
    return std::vector<T>(first, first + a.storage()->slots);
}

/// Numbers in all slots, ghost cells included.
template <class A>
void number(const A& a, int start) {
    if (!a.grp().amMember()) return;
    using T = typename A::Element;
    T* slot = a.data() - a.offset();
    for (Index k = 0; k < a.storage()->slots; ++k)
        slot[k] = static_cast<T>(static_cast<Index>(start) + 1000 * detail::ownRank() + k);
}

class Halos : public testing::Test {
protected:
    void SetUp() override {
        for (const auto& array : {a, a2}) number(array, 1);
        for (const auto& array : {b, b2}) number(array, 2);
        for (const auto& array : {c, c2}) number(array, 3);
    }
    void expectEqual() {
        EXPECT_EQ(slotsOf(a), slotsOf(a2));
        EXPECT_EQ(slotsOf(b), slotsOf(b2));
        EXPECT_EQ(slotsOf(c), slotsOf(c2));
    }

    Procs2 p;
    detail::On on{p};
    ExtBlockRange x{11, p.dim(0), 2, 1}, y{9, p.dim(1), 1, 1}, z{5, p.dim(0), 1, 1};
    Array<double, Dist, Dist> a = create<double>(p, x, y), a2 = like(a);
    Array<char, Dist> b = create<char>(p, z), b2 = like(b);
    Array<int, Dist, Seq, Dist> c = create<int>(p, y, 3, x), c2 = like(c);
};

TEST_F(Halos, AreThoseOfOneCallAfterTheOther) {
    if (!on) return;
    Adlib::writeHalo(a, b);
    Adlib::writeHalo(a2);
    Adlib::writeHalo(b2);
    expectEqual();
    Adlib::writeHalo(a, b, c);
    Adlib::writeHalo(c2);
    expectEqual();
}

TEST_F(Halos, OfSelectedSides) {
    if (!on) return;
    Adlib::writeHalo(
        Adlib::halo(a, {1, 0}, {0, 1}), b,
        Adlib::halo(c, {1, 0, 2}, {0, 0, 0}, {Adlib::Cyclic, Adlib::Edge, Adlib::None}));
    Adlib::writeHalo(a2, {1, 0}, {0, 1});
    Adlib::writeHalo(b2);
    Adlib::writeHalo(c2, {1, 0, 2}, {0, 0, 0}, {Adlib::Cyclic, Adlib::Edge, Adlib::None});
    expectEqual();
}

TEST_F(Halos, ByASchedule) {
    if (!on) return;
    Adlib::WriteHalos halos(a, b, Adlib::halo(c, {1, 0, 1}, {1, 0, 1}));
    for (int k = 0; k < 2; ++k) {
        halos.start();
        halos.finish();
    }
    Adlib::writeHalo(a2, b2, Adlib::halo(c2, {1, 0, 1}, {1, 0, 1}), b2);
    expectEqual();
    EXPECT_MESSAGE(halos.finish(), "WriteHalos: finish() without start()");
}

TEST_F(Halos, DemandWidthsOfTheRange) {
    if (!on) return;
    EXPECT_MESSAGE(Adlib::writeHalo(b, Adlib::halo(a, {0, 2}, {0, 0})),
                   "writeHalo: 2 cells below the blocks of dimension 1");
}

}  // namespace
}  // namespace hpspmd::test
