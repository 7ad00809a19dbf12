// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements, sections and handles.

#include <limits>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

void addSubscripts(BadInputs& cases) {
    for (const Index k : {Index(-1), Index(6), Index(1000), least, most}) {
        const std::string name = std::to_string(k);
        cases.push_back({"element_" + name, "OutOfBounds", [=] {
                             const auto a = create<double>(Procs1(), 6);
                             a[k] = 1;
                         }});
        cases.push_back({"element2_" + name, "OutOfBounds", [=] {
                             const Procs1 p;
                             const BlockRange x(8, p.dim(0));
                             const auto a = create<double>(p, x, 6);
                             if (On active{p})
                                 for (const auto i : overall(x)) a(i, k) = 1;
                         }});
        cases.push_back({"local_element_" + name, "OutOfBounds", [=] {
                             const auto a = create<double>(Procs1(), 4, 6);
                             const auto u = local(a);
                             u(1, k) = 1;
                         }});
        cases.push_back({"section_at_" + name, "OutOfBounds",
                         [=] { section(create<double>(Procs1(), 6, 6), k, Triplet()); }});
        cases.push_back({"section_of_blocks_at_" + name, "OutOfBounds",
                         [=] { section(plate(6, 6), Triplet(), k); }});
        cases.push_back({"location_" + name, "OutOfBounds",
                         [=] { static_cast<void>(BlockRange(6, Procs1().dim(0))[k]); }});
        cases.push_back({"at_" + name, "OutOfBounds", [=] {
                             const Procs1 p;
                             const BlockRange x(6, p.dim(0));
                             if (On active{p})
                                 for (const auto i : at(x, k)) static_cast<void>(i);
                         }});
    }
}

void addIndices(BadInputs& cases) {
    cases.push_back({"index_of_another_range", "IndexMismatch", [] {
                         const Procs1 p;
                         const BlockRange x(8, p.dim(0)), y(9, p.dim(0));
                         const auto a = create<double>(p, y);
                         if (On active{p})
                             for (const auto i : overall(x)) a(i) = 1;
                     }});
    cases.push_back({"index_of_another_kind", "IndexMismatch", [] {
                         const Procs1 p;
                         const auto a = create<double>(p, CyclicRange(8, p.dim(0)));
                         if (On active{p})
                             for (const auto i : overall(BlockRange(8, p.dim(0)))) a(i) = 1;
                     }});
    cases.push_back({"local_index_of_another_range", "IndexMismatch", [] {
                         const Procs1 p;
                         const BlockRange x(8, p.dim(0)), y(9, p.dim(0));
                         const auto a = create<double>(p, y);
                         const auto u = local(a);
                         if (On active{p})
                             for (const auto i : overall(x)) u(i) = 1;
                     }});
    for (const Index by : {Index(1), Index(-1), Index(9), Index(-9), most, least + 1}) {
        const std::string name = std::to_string(by);
        cases.push_back({"shift_without_ghosts_" + name, "ShiftTooWide", [=] {
                             const Procs1 p;
                             const BlockRange x(8, p.dim(0));
                             const auto a = create<double>(p, x);
                             if (On active{p})
                                 for (const auto i : overall(x)) a(i + by) = 1;
                         }});
    }
    for (const Index by : {Index(3), Index(-3), Index(1) << 40, -(Index(1) << 40)}) {
        const std::string name = std::to_string(by);
        cases.push_back({"shift_beyond_ghosts_" + name, "ShiftTooWide", [=] {
                             const Procs1 p;
                             const ExtBlockRange x(8, p.dim(0), 2, 2);
                             const auto a = create<double>(p, x);
                             if (On active{p})
                                 for (const auto i : overall(x)) a(i + by) = 1;
                         }});
    }
    cases.push_back({"nested_alike", "DimensionNotInGroup", [] {
                         const Procs1 p;
                         const BlockRange x(8, p.dim(0));
                         if (On active{p})
                             for (const auto i : overall(x))
                                 for (const auto j : overall(x))
                                     static_cast<void>(i), static_cast<void>(j);
                     }});
    cases.push_back({"several_blocks", "SeveralBlocks",
                     [] { BlockCyclicRange(800, Procs1().dim(0), 3).localBlock(); }, 2});
    cases.push_back({"cast_of_a_distributed_slot", "RangeNotCollapsed", [] {
                         const Procs1 p;
                         const auto a = create<double>(p, BlockRange(8, p.dim(0)));
                         static_cast<void>(static_cast<Array<double, Seq>>(a));
                     }});
}

void addNulls(BadInputs& cases) {
    const auto add = [&](const std::string& name, std::function<void()> run) {
        cases.push_back({"null_" + name, "NullArray", std::move(run)});
    };
    add("rng", [] { Plate().rng(0); });
    add("grp", [] { Plate().grp(); });
    add("size", [] { Plate().size(0); });
    add("like", [] { like(Plate()); });
    add("clone", [] { clone(Plate()); });
    add("section", [] { section(Plate(), Triplet(), Triplet()); });
    add("local", [] {
        const Plate a;
        local(a);
    });
    add("element", [] { Array<double, Seq>()[0] = 1; });
    add("moved", [] {
        Plate a = plate();
        const Plate b = std::move(a);
        like(a);
    });
    add("range_size", [] { Range().size(); });
    add("range_location", [] { static_cast<void>(Range()[0]); });
    add("range_subrange", [] { Range().subrange(0, 1); });
    add("range_blocks", [] { Range().localBlocks(); });
    add("range_overall", [] {
        for (const auto i : overall(Range())) static_cast<void>(i);
    });
    add("range_of_an_array", [] { create<double>(Procs1(), Range()); });
    add("group_size", [] { Group().size(); });
    add("group_rank", [] { Group().rank(); });
    add("dimension_size", [] { Dimension().size(); });
}

}  // namespace

void addAccesses(BadInputs& cases) {
    addSubscripts(cases);
    addIndices(cases);
    addNulls(cases);
}

}  // namespace hpspmd::test
