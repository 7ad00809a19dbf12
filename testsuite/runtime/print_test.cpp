// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `<<` and describe say of arrays, ranges and groups, in pretended processes; and by {fmt}.

#include "pretend.hpp"

#include <hpspmd/fmt.hpp>

#include <iomanip>
#include <sstream>

namespace hpspmd::test {
namespace {

template <class T>
std::string textOf(const T& value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

// Element [i, j] of an array without ghost cells is 100 * i + j.
template <class A>
A numbered(const A& a) {
    for (const Block& x : a.rng(0).localBlocks())
        for (Index k = 0; k < x.count; ++k)
            for (const Block& y : a.rng(1).localBlocks())
                for (Index l = 0; l < y.count; ++l)
                    a.data()[a.stride(0) * (x.localBase + k * x.localStep) +
                             a.stride(1) * (y.localBase + l * y.localStep)] =
                        static_cast<typename A::Element>(100 * (x.globalBase + k * x.globalStep) +
                                                         y.globalBase + l * y.globalStep);
    return a;
}

TEST(Print, RowsOfOneProcess) {
    const Pretend world(4, 1);
    const Procs2 p(2, 2);
    const detail::Activate in(p);
    const auto a = numbered(create<int>(p, BlockRange(4, p.dim(0)), CyclicRange(7, p.dim(1))));
    EXPECT_EQ(textOf(a),
              "int [[-,-]] 4 x 7 on grid (2 x 2), process (0, 1) holds [0 : 1, 1 : 5 : 2]\n"
              "  [0, :]   1   3   5\n"
              "  [1, :] 101 103 105");
    EXPECT_EQ(Adlib::describe(a),
              "int [[-,-]] 4 x 7 on grid (2 x 2)\n"
              "  dimension 0: BlockRange(4, P=2), stride " +
                  std::to_string(a.stride(0)) +
                  ", here 0 : 1\n"
                  "  dimension 1: CyclicRange(7, P=2), stride 1, here 1 : 5 : 2\n"
                  "  process (0, 1) holds 6 elements of 4 bytes");
    EXPECT_EQ(textOf(section(a, 1, Triplet(6, 0, -1))),
              "int [[-]] 7 on grid (2 x 2) / (0, *), process 1 holds [1 : 5 : 2]\n  105 103 101");
    EXPECT_EQ(textOf(section(a, 3, Triplet())),
              "int [[-]] 7 on grid (2 x 2) / (1, *), this process holds nothing");
    EXPECT_EQ(fmt::format("<{}>", section(a, 1, 1)), "<" + textOf(section(a, 1, 1)) + ">");
}

TEST(Print, LongRowsAreShortened) {
    const Pretend world(1, 0);
    const Procs1 p(1);
    const detail::Activate in(p);
    const auto a = numbered(create<double>(p, 1000, 20));
    const std::string text = textOf(a);
    EXPECT_TRUE(
        mentions(text, "\n  [0, :]       0     1     2     3 ..    16    17    18    19\n"));
    EXPECT_TRUE(mentions(text, "\n  ..\n  [996, :]"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
    const auto deep = create<char>(p, 50, 50, 50, 2);
    const std::string rows = textOf(deep);
    EXPECT_LE(std::count(rows.begin(), rows.end(), '\n'), 44);
}

TEST(Print, AnyElementAndFormat) {
    const Pretend world(1, 0);
    const Procs1 p(1);
    const detail::Activate in(p);
    const auto one = create<unsigned char>(p);
    *one.data() = 65;
    EXPECT_EQ(textOf(one), "unsigned char [[]] one on grid (1), process 0 holds it\n  65");
    struct Hidden {
        int x;
    };
    EXPECT_TRUE(mentions(textOf(create<Hidden>(p, 2)), "holds [0 : 1]\n  ? ?"));
    const auto third = create<double>(p, 1);
    *third.data() = 1.0 / 3;
    std::ostringstream text;
    text << std::setprecision(3) << third;
    EXPECT_TRUE(mentions(text.str(), "\n  0.333"));
    EXPECT_EQ(textOf(Array<const float, Dist, Seq>()), "const float [[-,*]], a null array");
    EXPECT_EQ(Adlib::describe(Array<float>()), "float [[]], a null array");
    EXPECT_TRUE(
        mentions(textOf(create<int>(p, BlockRange(0, p.dim(0)))), "process 0 holds nothing"));
}

TEST(Print, ManyBlocks) {
    const Pretend world(2, 0);
    const Procs1 p;
    const detail::Activate in(p);
    const BlockCyclicRange x(40, p.dim(0), 3);
    EXPECT_TRUE(mentions(Adlib::describe(create<int>(p, x)), "here 0 : 2, 6 : 8, 12 : 14, ..\n"));
}

TEST(Print, RangesAndGroups) {
    const Pretend world(8, 5);
    const Procs2 p(2, 3);
    const detail::Activate in(p);
    const ExtBlockRange x(12, p.dim(1), 1, 2);
    EXPECT_EQ(textOf(x), "ExtBlockRange(12, P=3, 1, 2)");
    EXPECT_EQ(Adlib::describe(x),
              "ExtBlockRange(12, P=3, 1, 2) over dimension 1 of grid (2 x 3), here 8 : 11");
    EXPECT_EQ(fmt::format("{} {}", x, p), "ExtBlockRange(12, P=3, 1, 2) grid (2 x 3)");
    EXPECT_EQ(Adlib::describe(CollapsedRange(3)), "CollapsedRange(3), here 0 : 2");
    EXPECT_EQ(Adlib::describe(p), "grid (2 x 3), 6 processes, this one is process 5");
    EXPECT_EQ(textOf(p / p.dim(0)[1]), "grid (2 x 3) / (1, *)");
    EXPECT_EQ(Adlib::describe(p / p.dim(0)[0]),
              "grid (2 x 3) / (0, *), 3 processes, this one is none of them");
    EXPECT_EQ(textOf(Range()) + ", " + textOf(Group()), "a null range, a null group");
}

}  // namespace
}  // namespace hpspmd::test
