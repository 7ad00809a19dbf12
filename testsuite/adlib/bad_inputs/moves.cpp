// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Collectives that move elements.

#include <limits>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();

struct Move {
    std::string name;
    std::function<void(const Plate& to, const Plate& from)> run;
};

Array<int, Dist, Dist> subscripts(const Plate& like, int value) {
    const auto s = create<int>(like.grp(), like.rng(0), like.rng(1));
    if (On active{s.grp()})
        for (const auto i : overall(s.rng(0)))
            for (const auto j : overall(s.rng(1))) s(i, j) = value;
    return s;
}

// Those that want arrays of one shape.
const std::vector<Move>& moves() {
    static const std::vector<Move> all = {
        {"remap", [](const Plate& to, const Plate& from) { Adlib::remap(to, from); }},
        {"remap_sum",
         [](const Plate& to, const Plate& from) { Adlib::remap(to, from, std::plus<>()); }},
        {"Remap", [](const Plate& to, const Plate& from) { Adlib::Remap(to, from).execute(); }},
        {"copy", [](const Plate& to, const Plate& from) { Adlib::copy(to, from); }},
        {"shift", [](const Plate& to, const Plate& from) { Adlib::shift(to, from, 1); }},
        {"Shift", [](const Plate& to, const Plate& from) { Adlib::Shift(to, from, 1).execute(); }},
        {"cshift", [](const Plate& to, const Plate& from) { Adlib::cshift(to, from, 1, 1); }},
        {"Cshift",
         [](const Plate& to, const Plate& from) { Adlib::Cshift(to, from, -1, 1).execute(); }},
        {"transpose",
         [](const Plate& to, const Plate& from) {
             Adlib::transpose(to, from, {0, 1});
         }},
        {"Transpose",
         [](const Plate& to, const Plate& from) {
             Adlib::Transpose(to, from, {0, 1}).execute();
         }},
        {"scan", [](const Plate& to, const Plate& from) { Adlib::scan(to, from, std::plus<>()); }},
    };
    return all;
}

void addShapes(BadInputs& cases) {
    for (const Move& move : moves()) {
        const auto add = [&](const std::string& what, const std::string& error, auto to,
                             auto from) {
            cases.push_back({move.name + "_" + what, error, [=] { move.run(to(), from()); }});
        };
        const auto right = [] { return plate(); };
        const auto nothing = [] { return Plate(); };
        const auto moved = [] {
            Plate a = plate();
            const Plate b = std::move(a);
            return a;
        };
        add(
            "more_rows", "AdlibError", [] { return plate(9, 6); }, right);
        add(
            "fewer_columns", "AdlibError", [] { return plate(8, 5); }, right);
        add(
            "other_way_round", "AdlibError", [] { return plate(6, 8); }, right);
        add("from_no_rows", "AdlibError", right, [] { return plate(0, 6); });
        add("to_null", "NullArray", nothing, right);
        add("from_null", "NullArray", right, nothing);
        add("to_moved", "NullArray", moved, right);
        add("from_moved", "NullArray", right, moved);
        cases.push_back({move.name + "_overlapping", "AdlibError", [=] {
                             const Plate a = plate(9, 6);
                             move.run(section(a, Triplet(0, 7), Triplet()),
                                      section(a, Triplet(1, 8), Triplet()));
                         }});
    }
}

void addDimensions(BadInputs& cases) {
    for (const int d : {-1, 2, most, least}) {
        const std::string name = std::to_string(d);
        cases.push_back(
            {"shift_along_" + name, "AdlibError", [=] { Adlib::shift(plate(), plate(), 1, d); }});
        cases.push_back(
            {"cshift_along_" + name, "AdlibError", [=] { Adlib::cshift(plate(), plate(), 1, d); }});
        cases.push_back({"scan_along_" + name, "AdlibError",
                         [=] { Adlib::scan(plate(), plate(), std::plus<>(), d); }});
        cases.push_back({"transpose_by_" + name, "AdlibError", [=] {
                             Adlib::transpose(plate(), plate(), {d, 0});
                         }});
        cases.push_back({"skew_along_" + name, "AdlibError", [=] {
                             const Plate to = plate(), from = plate();
                             const auto by = create<int>(to.grp(), to.rng(1));
                             Adlib::skew(to, from, by, d);
                         }});
    }
    cases.push_back({"transpose_twice_the_same", "AdlibError", [] {
                         Adlib::transpose(plate(8, 8), plate(8, 8), {1, 1});
                     }});
    cases.push_back({"skew_by_another_shape", "AdlibError", [] {
                         const Plate to = plate(), from = plate();
                         Adlib::skew(to, from, create<int>(to.grp(), to.rng(0)), 0);
                     }});
}

void addSubscripts(BadInputs& cases) {
    for (const int value : {-1, 8, 1000, most, least}) {
        const std::string name = std::to_string(value);
        const auto with = [=](auto operation) {
            return [=] {
                const Plate to = plate(), from = plate();
                operation(to, from, subscripts(to, value), subscripts(to, 0));
            };
        };
        cases.push_back({"gather_at_" + name, "AdlibError",
                         with([](const auto&... a) { Adlib::gather(a...); })});
        cases.push_back({"scatter_at_" + name, "AdlibError",
                         with([](const auto&... a) { Adlib::scatter(a...); })});
        cases.push_back({"scatter_sum_at_" + name, "AdlibError",
                         with([](const auto&... a) { Adlib::scatter(std::plus<>(), a...); })});
        cases.push_back({"Gather_at_" + name, "AdlibError",
                         with([](const auto&... a) { Adlib::Gather(a...).execute(); })});
    }
    cases.push_back({"gather_by_other_shape", "AdlibError", [] {
                         const Plate to = plate(), from = plate();
                         const auto s = subscripts(plate(9, 6), 0);
                         Adlib::gather(to, from, s, s);
                     }});
    cases.push_back({"scatter_by_other_shape", "AdlibError", [] {
                         const Plate to = plate(), from = plate();
                         const auto s = subscripts(plate(9, 6), 0);
                         Adlib::scatter(to, from, s, s);
                     }});
    cases.push_back({"gather_from_null", "NullArray", [] {
                         const Plate to = plate();
                         Adlib::gather(to, Plate(), subscripts(to, 0), subscripts(to, 0));
                     }});
    cases.push_back({"scatter_to_null", "NullArray", [] {
                         const Plate from = plate();
                         Adlib::scatter(Plate(), from, subscripts(from, 0), subscripts(from, 0));
                     }});
}

void addHalos(BadInputs& cases) {
    const auto withGhosts = [] {
        const Procs2 p;
        return create<double>(p, ExtBlockRange(8, p.dim(0), 1, 2), BlockRange(6, p.dim(1)));
    };
    for (const int width : {3, -1, 1 << 30}) {
        const std::string name = std::to_string(width);
        cases.push_back({"halo_below_" + name, "AdlibError", [=] {
                             Adlib::writeHalo(withGhosts(), {width, 0}, {0, 0});
                         }});
        cases.push_back({"halo_above_" + name, "AdlibError", [=] {
                             Adlib::writeHalo(withGhosts(), {0, 0}, {width, 0});
                         }});
        cases.push_back({"halo_of_no_ghosts_" + name, "AdlibError", [=] {
                             Adlib::writeHalo(withGhosts(), {0, width}, {0, 0});
                         }});
        cases.push_back(
            {"halos_below_" + name, "AdlibError", [=] {
                 Adlib::writeHalo(withGhosts(), Adlib::halo(withGhosts(), {width, 0}, {0, 0}));
             }});
    }
    cases.push_back({"halo_of_null", "NullArray", [] { Adlib::writeHalo(Plate()); }});
    cases.push_back({"boundary_of_null", "NullArray", [] { Adlib::setBoundary(Plate(), 1.0); }});
    cases.push_back({"halo_started_twice", "AdlibError", [=] {
                         Adlib::WriteHalos halo(withGhosts());
                         halo.start();
                         halo.start();
                     }});
    cases.push_back({"halo_finished_before_start", "AdlibError", [=] {
                         Adlib::WriteHalo halo(withGhosts());
                         halo.finish();
                     }});
    cases.push_back({"schedule_for_another_array", "AdlibError", [] {
                         Adlib::Remap schedule(plate(), plate());
                         schedule.execute(plate(9, 6), plate(9, 6));
                     }});
}

}  // namespace

void addMoves(BadInputs& cases) {
    addShapes(cases);
    addDimensions(cases);
    addSubscripts(cases);
    addHalos(cases);
}

}  // namespace hpspmd::test
