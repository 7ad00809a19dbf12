// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions of whole arrays and along one dimension.

#include <limits>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

using Mask = Array<bool, Dist, Dist>;

Mask mask(Index rows = 8, Index columns = 6) {
    const Procs2 p;
    return create<bool>(p, BlockRange(rows, p.dim(0)), BlockRange(columns, p.dim(1)));
}

Mask cyclicMask() {
    const Procs2 p;
    return create<bool>(p, CyclicRange(8, p.dim(0)), BlockRange(6, p.dim(1)));
}

template <class Make, class Reduce>
void addWhole(BadInputs& cases, const std::string& name, const Make& make, const Reduce& reduce) {
    using A = decltype(make());
    cases.push_back({name + "_of_null", "NullArray", [=] { reduce(A()); }});
    cases.push_back(
        {name + "_under_other_mask", "AdlibError", [=] { reduce(make(), mask(9, 6)); }});
    cases.push_back(
        {name + "_under_cyclic_mask", "AdlibError", [=] { reduce(make(), cyclicMask()); }, 2});
    cases.push_back({name + "_under_null_mask", "NullArray", [=] { reduce(make(), Mask()); }});
}

template <class T, class Reduce>
void addAlong(BadInputs& cases, const std::string& name, const Reduce& reduce) {
    const auto source = [] {
        const Procs2 p;
        return create<T>(p, BlockRange(8, p.dim(0)), BlockRange(6, p.dim(1)));
    };
    using Line = Array<T, Dist>;
    for (const int d : {-1, 2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
        cases.push_back({name + "_along_" + std::to_string(d), "AdlibError", [=] {
                             const auto a = source();
                             reduce(Line(create<T>(a.grp(), a.rng(1))), a, d);
                         }});
    cases.push_back({name + "_into_wrong_length", "AdlibError", [=] {
                         const auto a = source();
                         reduce(Line(create<T>(a.grp(), a.rng(0))), a, 0);
                     }});
    cases.push_back({name + "_of_null", "NullArray", [=] {
                         const auto a = source();
                         reduce(Line(create<T>(a.grp(), a.rng(1))), decltype(source())(), 0);
                     }});
    cases.push_back({name + "_into_null", "NullArray", [=] { reduce(Line(), source(), 0); }});
}

}  // namespace

void addReductions(BadInputs& cases) {
    const auto numbers = [] { return plate(); };
    const auto truths = [] { return mask(); };
    addWhole(cases, "sum", numbers, [](const auto&... a) { Adlib::sum(a...); });
    addWhole(cases, "product", numbers, [](const auto&... a) { Adlib::product(a...); });
    addWhole(cases, "maxval", numbers, [](const auto&... a) { Adlib::maxval(a...); });
    addWhole(cases, "minval", numbers, [](const auto&... a) { Adlib::minval(a...); });
    addWhole(cases, "maxloc", numbers, [](const auto&... a) { Adlib::maxloc(a...); });
    addWhole(cases, "minloc", numbers, [](const auto&... a) { Adlib::minloc(a...); });
    addWhole(cases, "any", truths, [](const auto&... a) { Adlib::any(a...); });
    addWhole(cases, "all", truths, [](const auto&... a) { Adlib::all(a...); });
    addWhole(cases, "count", truths, [](const auto&... a) { Adlib::count(a...); });
    addAlong<double>(cases, "sumDim", [](const auto&... a) { Adlib::sumDim(a...); });
    addAlong<double>(cases, "productDim", [](const auto&... a) { Adlib::productDim(a...); });
    addAlong<double>(cases, "maxvalDim", [](const auto&... a) { Adlib::maxvalDim(a...); });
    addAlong<double>(cases, "minvalDim", [](const auto&... a) { Adlib::minvalDim(a...); });
    addAlong<bool>(cases, "anyDim", [](const auto&... a) { Adlib::anyDim(a...); });
    addAlong<bool>(cases, "allDim", [](const auto&... a) { Adlib::allDim(a...); });
    cases.push_back({"dotProduct_of_other_shapes", "AdlibError",
                     [] { Adlib::dotProduct(plate(), plate(8, 7)); }});
    cases.push_back(
        {"dotProduct_of_null", "NullArray", [] { Adlib::dotProduct(plate(), Plate()); }});
    cases.push_back({"reproducible_sum_of_null", "NullArray",
                     [] { Adlib::sum(Adlib::reproducible, Plate()); }});
}

}  // namespace hpspmd::test
