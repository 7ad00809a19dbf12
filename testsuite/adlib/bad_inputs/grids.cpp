// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Grids, groups and dimensions; targets and formats.

#include <limits>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

void addExtents(BadInputs& cases) {
    for (const Index n : {Index(0), Index(-1), least})
        cases.push_back({"grid_extent_" + std::to_string(n), "BadExtent", [=] { Procs1 p(n); }});
    for (const Index n : {Index(1000), Index(1) << 31, most})
        cases.push_back(
            {"grid_of_" + std::to_string(n), "ProcsArrayTooLarge", [=] { Procs1 p(n); }});
    for (const Index n : {Index(0), Index(-2)})
        cases.push_back(
            {"grid2_extent_" + std::to_string(n), "BadExtent", [=] { Procs2 p(1, n); }});
    for (const Index n : {Index(1) << 20, Index(1) << 32, most})
        cases.push_back(
            {"grid2_of_" + std::to_string(n), "ProcsArrayTooLarge", [=] { Procs2 p(n, n); }});
    cases.push_back({"grid_with_too_many_extents", "BadExtent", [] { Procs2 p({1, 1, 1}); }});
    cases.push_back({"grid_with_too_few_extents", "BadExtent", [] { Procs2 p({1}); }});
    cases.push_back({"grid_with_no_extents", "BadExtent", [] { Procs1 p({}); }});
}

void addDimensions(BadInputs& cases) {
    for (const int d :
         {-1, 2, 100, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        const std::string name = std::to_string(d);
        cases.push_back({"grid_dimension_" + name, "OutOfBounds", [=] { Procs2().dim(d); }});
        cases.push_back({"array_range_" + name, "OutOfBounds", [=] { plate().rng(d); }});
    }
}

void addGroups(BadInputs& cases) {
    cases.push_back({"null_group", "NullArray", [] {
                         const Group nothing;
                         create<double>(nothing, 3);
                     }});
    cases.push_back({"null_group_active", "NullArray", [] {
                         const Group nothing;
                         if (On active{nothing}) plate();
                     }});
    cases.push_back({"dimension_of_another_grid", "DimensionNotInGroup", [] {
                         const Procs1 p;
                         const Procs2 q;
                         create<double>(p, BlockRange(4, q.dim(0)));
                     }});
    cases.push_back({"one_dimension_twice", "DimensionNotInGroup", [] {
                         const Procs2 p;
                         create<double>(p, BlockRange(4, p.dim(0)), CyclicRange(4, p.dim(0)));
                     }});
    cases.push_back({"restriction_to_a_foreign_dimension", "DimensionNotInGroup", [] {
                         const Procs1 p;
                         const Procs2 q;
                         const BlockRange y(4, q.dim(0));
                         if (On active{q})
                             for (const auto i : overall(y)) static_cast<void>(p / i);
                     }});
    cases.push_back({"array_of_all_made_by_one", "GroupNotContained",
                     [] {
                         const Procs1 all, one(1);
                         if (On active{one}) create<double>(all, BlockRange(4, all.dim(0)));
                     },
                     2});
    cases.push_back({"all_active_within_one", "GroupNotContained",
                     [] {
                         const Procs1 all, one(1);
                         if (On active{one})
                             if (On again{all}) plate();
                     },
                     2});
}

void addFormats(BadInputs& cases) {
    const char* const formats[] = {
        "%",     "%5",          "%l",         "%R9%g",  "%R%g",
        "%Q",    "%.99999999g", "%99999999g", "%d",     "%s",
        "%g %g", "none",        "%0N%g",      "%-3N%g", "%99999999999999999999N%g",
        "%*g",   "%n",          "%p",         "%c"};
    int number = 0;
    for (const char* const format : formats)
        cases.push_back({"format_" + std::to_string(++number), "AdlibError",
                         [=] { Adlib::aprintf(format, plate()); }});
    cases.push_back({"format_of_other_shapes", "AdlibError",
                     [] { Adlib::aprintf("%g %g%N", plate(), plate(8, 7)); }});
    cases.push_back(
        {"format_of_a_null_array", "NullArray", [] { Adlib::aprintf("%g%N", Plate()); }});
}

}  // namespace

void addGrids(BadInputs& cases) {
    addExtents(cases);
    addDimensions(cases);
    addGroups(cases);
    addFormats(cases);
}

}  // namespace hpspmd::test
