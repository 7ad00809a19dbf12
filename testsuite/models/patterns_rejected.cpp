// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Wrong uses of patterns, each with the message that the C++ compiler must give for its line, and
/// uses that look alike and are right (patterns_rejected.py).

#include <hpspmd/patterns.hpp>

// clang-format off
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace hpspmd;
using hpspmd::patterns::map;
using hpspmd::patterns::reduce;
using hpspmd::patterns::zip;

struct Point {
    double x, y;
};
struct NoDefault {
    explicit NoDefault(double value) : value(value) {}
    double value;
};

void use(const std::vector<double>& a, const std::vector<int>& b, const std::vector<bool>& bits,
         const std::vector<Point>& points, const Array<double, Seq>& s, const Array<double, Dist>& d,
         const Array<double, Seq, Seq>& matrix, const Array<double, Dist, Dist>& grid,
         const Array<const double, Seq>& value, const Array<std::string, Dist>& names) {
    const auto twice = [](auto x) { return x + x; };
    const auto isLarge = [](double x) { return x > 1; };
    const auto sum = reduce(std::plus<>(), 0.0);
    std::vector<double> r(a.size());
    std::vector<Point> p(a.size());
    std::vector<NoDefault> n(a.size(), NoDefault(1));

    // The elements that stand before a function.
    map([](Point q) { return q.x; })(points);
    map([](Point q) { return q.x; })(a);                     // rejected: map: its function does not take the elements that stand before it
    map([](double x, int k) { return x * k; })(a, b);
    map([](double x) { return 2 * x; })(a, b);               // rejected: map: its function does not take the elements that stand before it
    (map(twice) | map([](Point) { return 1; }))(a);          // rejected: map: its function does not take the elements that stand before it
    (map([](double x) { return std::tuple(x, 1); }) | map([](double x, int) { return x; }))(a);
    (map([](double x) { return std::tuple(x, 1); }) | map([](double x) { return x; }))(a);  // rejected: map: its function does not take the elements that stand before it
    map([](double) {})(a);                                   // rejected: map: its function returns nothing
    map([](double) { return std::tuple<>(); })(a);           // rejected: map: its function returns nothing

    // What makes a new array.
    map(isLarge)(s);
    map(isLarge)(a);                                         // rejected: map: the elements of a std::vector<bool> are no objects; give char
    map([](double x) { return std::tuple(x, x > 1); })(a);   // rejected: map: the elements of a std::vector<bool> are no objects; give char
    map([](double x) { return char(x > 1); })(a);
    map([](bool x) { return int(x); })(bits);                // rejected: a pattern takes multiarrays and contiguous containers: vector \(but not of bool\)
    map([](double x) { return NoDefault(x); }).into(n, a);
    map([](double x) { return NoDefault(x); })(a);           // rejected: map: a new array needs elements with a default constructor; use into

    // Arrays that do not belong together.
    map(twice)(3.5);                                         // rejected: a pattern takes multiarrays and contiguous containers
    map(twice)(std::make_unique<int>(3));                    // rejected: a pattern takes multiarrays and contiguous containers
    map(std::plus<>())(s, s);
    map(std::plus<>())(a, s);                                // rejected: the arrays of a pattern are all containers, or all multiarrays
    map(std::plus<>())(d, a);                                // rejected: the arrays of a pattern are all containers, or all multiarrays
    (map(std::plus<>()) | sum)(a, d);                        // rejected: the arrays of a pattern are all containers, or all multiarrays
    map(twice).into(r, d);                                   // rejected: the arrays of a pattern are all containers, or all multiarrays
    map(std::plus<>())(s, d);                                // rejected: the multiarrays of a pattern all have slots '-', or none of them has
    (map(std::plus<>()) | sum)(grid, matrix);                // rejected: the multiarrays of a pattern all have slots '-', or none of them has
    map(twice).into(s, d);                                   // rejected: the multiarrays of a pattern all have slots '-', or none of them has
    map(std::plus<>())(s, matrix);                           // rejected: the multiarrays of a pattern have the same rank
    map(std::plus<>())(grid, d);                             // rejected: the multiarrays of a pattern have the same rank
    map(twice)();                                            // rejected: a pattern is applied to arrays

    // reduce.
    (map([](Point q) { return q.x; }) | sum)(points);
    sum(points);                                             // rejected: reduce: the elements that stand before it do not convert to its init
    reduce([](double x, Point) { return x; }, 0.0)(a);       // rejected: reduce: its operation takes two values of the type of init and gives one
    reduce([](double x) { return x; }, 0.0)(a);              // rejected: reduce: its operation takes two values of the type of init and gives one
    map(twice) | sum | map(twice);                           // rejected: reduce is the last stage of a chain
    sum.into(r, a);                                          // rejected: reduce gives a value: it has no into
    reduce(std::plus<>(), std::string())(std::vector<std::string>());
    reduce(std::plus<>(), std::string())(names);             // rejected: what is reduced over processes must be trivially copyable

    // into.
    map(twice).into(s, value);
    map(twice).into(value, s);                               // rejected: into: the elements of the result are const
    map(twice).into(a, a);                                   // rejected: into: the elements of the result are const
    map(twice).into(p, a);                                   // rejected: into: the elements of the result cannot be assigned what the function gives
    map([](double x) { return Point{x, x}; }).into(p, a);
    map([](double x) { return std::tuple(x, Point()); }).into(std::tie(r, p), a);
    map([](double x) { return std::tuple(x, Point()); }).into(std::tie(p, r), a);  // rejected: into: the elements of the result cannot be assigned what the function gives
    map([](double x) { return std::tuple(x, Point()); }).into(r, a);  // rejected: into: the function gives a tuple, so std::tie\(..\) of arrays comes first
    map([](double x) { return std::tuple(x, Point()); }).into(std::tie(r), a);  // rejected: into: not as many results as the function gives
    map(twice).into(std::tie(r, r), a);                      // rejected: into: not as many results as the function gives
    zip.into(std::tie(r, p), a, points);
}
