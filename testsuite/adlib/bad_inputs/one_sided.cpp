// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Access by one process alone, values sent to a group, whole arrays divided, patterns.

#include <hpspmd/patterns.hpp>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

Array<double, Seq, Seq> localPart(Index rows, Index columns) {
    return create<double>(Procs1(), rows, columns);
}

void addEpochs(BadInputs& cases) {
    const auto add = [&](const std::string& name, auto access) {
        cases.push_back(
            {name + "_outside_fences", "AdlibError", [=] { access(plate(), localPart(8, 6)); }});
        cases.push_back({name + "_after_the_epoch", "AdlibError", [=] {
                             const Plate a = plate();
                             Adlib::fence(a);
                             Adlib::fence(a);
                             access(a, localPart(8, 6));
                         }});
        cases.push_back({name + "_of_another_shape", "AdlibError", [=] {
                             const Plate a = plate();
                             Adlib::fence(a);
                             access(a, localPart(7, 6));
                         }});
        cases.push_back({name + "_null_local", "NullArray", [=] {
                             const Plate a = plate();
                             Adlib::fence(a);
                             access(a, Array<double, Seq, Seq>());
                         }});
        cases.push_back(
            {name + "_null_section", "NullArray", [=] { access(Plate(), localPart(8, 6)); }});
    };
    add("get", [](const auto& a, const auto& l) { Adlib::get(l, a); });
    add("put", [](const auto& a, const auto& l) { Adlib::put(a, l); });
    add("accumulate", [](const auto& a, const auto& l) { Adlib::accumulate(a, l); });
    add("fetchAdd", [](const auto& a, const auto& l) { Adlib::fetchAdd(l, a, 1.0); });
    cases.push_back({"fence_of_null", "NullArray", [] { Adlib::fence(Plate()); }});
}

void addGroups(BadInputs& cases) {
    cases.push_back({"broadcast_from_null", "NullArray", [] { Adlib::broadcast(1, Group()); }});
    cases.push_back({"array_of_others", "NullArray",
                     [] {
                         const Procs1 all, one(1);
                         Array<double, Dist> a;
                         if (On active{one}) a = create<double>(one, BlockRange(4, one.dim(0)));
                         Adlib::sum(a);
                     },
                     2});
}

void addPatterns(BadInputs& cases) {
    const std::vector<double> longer(9, 1.0), shorter(8, 2.0);
    const auto twice = patterns::map([](double x, double y) { return x + y; });
    cases.push_back({"pattern_of_other_lengths", "AdlibError", [=] { twice(longer, shorter); }});
}

}  // namespace

void addOneSided(BadInputs& cases) {
    addEpochs(cases);
    addGroups(cases);
    addPatterns(cases);
}

}  // namespace hpspmd::test
