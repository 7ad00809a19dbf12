// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements a statement of a nest changes: program text, question, answer.
#include "analysis/element_writes.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hpcc::testing {
namespace {

using analysis::Writing;

const std::string functions = R"(
void set(double &e) { e = 3; }
void setBehind(double *p) { *p = 3; }
void setSome(double *p, int k) { p[k] = 3; }
void limit(double &e) { if (e > 3) e = 3; }
void later(double &e);
void stop(double &e, bool c) { if (c) return; e = 3; }
void deeper(double &e) { set(e); }
void around(double &e, int n) { if (n > 0) around(e, n - 1); }
void odd(double &e, int n);
void even(double &e, int n) { if (n > 0) odd(e, n - 1); }
void odd(double &e, int n) { if (n > 0) even(e, n - 1); else e = 3; }
double get(double &e) { return e; }
double getConst(const double &e);
double getValue(double e) { e += 1; return e; }
double getBehind(const double *p);
double &same(double &e) { return e; }
double &at(double [[-]] a, DistributedIndex i) { return a[i]; }
double &either(double &e, double &f) { return e > f ? e : f; }
template <class T> void setAny(T &&e) { e = 3; }
template <class... T> void setAll(T &...e) { ((e = 3), ...); }
struct Keeper { double &e; };
struct Reader { const double &e; };
struct Pointing { explicit Pointing(double *p) : p_(p) {} double *p_; };
struct Counted { explicit Counted(double &e) : v(e) { e = 0; } double v; };
struct Cell {
    double v, w;
    void set(double d) { v = d; }
    void setBoth(double d) { this->set(d); w = d; }
    double get() { return v; }
    double getConst() const;
    void later();
    Cell &operator+=(double d) { v += d; return *this; }
};
struct Shape { virtual void move(double &e) { e = 3; } };
struct Box : Shape { void move(double &e) { e = 4; } };
Cell &operator-=(Cell &c, double d) { c.w -= d; return c; }
double operator*(const Cell &c, double d) { return c.v * d; }
double operator+(Cell c, double d) { c.v += d; return c.v; }
)";

struct Case {
    std::string statements, answer;
};

const std::vector<Case> cases = {
    {"a[i] = 3;", "a[i] surely"},
    {"a[i] += 3; b[i] = a[i];", "a[i] surely, b[i] surely"},
    {"++a[i];", "a[i] surely"},
    {"a[i]--;", "a[i] surely"},
    {"(b[i] = 2, a[i]) = 3;", "b[i] surely, a[i] surely"},
    {"static_cast<double &>(a[i]) = 3;", "a[i] surely"},
    {"(n > 0 ? a[i] : b[i]) = 3;", "a[i] perhaps, b[i] perhaps"},
    {"if (n > 0) a[i] = 3;", "a[i] surely"},  // as often as the access is made
    // References and pointers.
    {"double &e = a[i]; e = 3;", "a[i] surely"},
    {"auto &&e = a[i]; auto &f = e; f = 3;", "a[i] surely"},
    {"double &e = a[i]; if (n > 0) e = 3;", "a[i] perhaps"},
    {"double &e = a[i]; b[i] = e;", "b[i] surely"},
    {"const double &e = a[i]; double f = e; f = 3;", ""},
    {"double *p = &a[i]; *p = 3;", "a[i] surely"},
    {"auto p = &a[i]; p[0] = 3;", "a[i] surely"},
    {"double *p = &a[i]; p[n] = 3;", "a[i] perhaps"},
    {"double *p = &a[i]; p = &b[i]; *p = 3;", "a[i] perhaps, b[i] perhaps"},
    {"*&a[i] = 3;", "a[i] surely"},
    {"const double *p = &a[i]; b[i] = *p;", "b[i] surely"},
    {"for (double *p : {&a[i], &b[i]}) *p = 3;", "a[i] perhaps, b[i] perhaps"},
    {"b[i] = &a[i] == nullptr;", "b[i] surely"},
    {"Cell *p = &s[i]; p->v = 3;", "s[i].v surely"},
    {"auto &[v, w] = s[i]; v = 3;", "s[i] perhaps"},
    {"auto [v, w] = s[i]; v = 3;", ""},
    {"for (double &e : t[i].x) e = 3;", "t[i].x perhaps"},
    {"for (double e : t[i].x) e = 3;", ""},
    // Functions.
    {"set(a[i]);", "a[i] surely"},
    {"set(s[i].v);", "s[i].v surely"},
    {"double &e = a[i]; set(e);", "a[i] surely"},
    {"setBehind(&a[i]);", "a[i] surely"},
    {"double *p = &a[i]; setBehind(p);", "a[i] surely"},
    {"setSome(&a[i], n);", "a[i] perhaps"},
    {"limit(a[i]);", "a[i] perhaps"},
    {"stop(a[i], n > 0);", "a[i] perhaps"},
    {"later(a[i]);", "a[i] perhaps"},
    {"shape.move(a[i]);", "a[i] perhaps"},
    {"box.move(a[i]);", "a[i] perhaps"},  // overrides without the word
    {"deeper(a[i]);", "a[i] surely"},
    {"around(a[i], n);", ""},
    {"even(a[i], n);", "a[i] perhaps"},
    {"b[i] = get(a[i]);", "b[i] surely"},
    {"b[i] = getConst(a[i]) + getValue(a[i]) + getBehind(&a[i]);", "b[i] surely"},
    {"same(a[i]) = 3;", "a[i] surely"},
    {"either(a[i], b[i]) = 3;", "a[i] perhaps, b[i] perhaps"},
    {"setAny(a[i]);", "a[i] surely"},
    {"setAll(a[i], b[i]);", "a[i] surely, b[i] surely"},
    {"unseen(a[i]);", "a[i] out of sight"},
    {"b[i] = unseen(&a[i]);", "b[i] surely, a[i] out of sight"},
    // Lambdas.
    {"auto put = [](double &e) { e = 3; }; put(a[i]);", "a[i] surely"},
    {"auto put = [](auto &e, double d) { e = d; }; put(a[i], 2.0);", "a[i] surely"},
    {"auto put = [&] { a[i] = 3; }; put();", "a[i] surely, a[i] surely"},
    {"auto put = [&] { if (n > 0) a[i] = 3; }; put();", "a[i] perhaps, a[i] surely"},
    // Of other arrays, which these functions know by the names of those here.
    {"at(b, i) = 3;", ""},
    {"auto at = [&]() -> double & { return a[i]; }; at() = 3;", "a[i] surely"},
    {"auto at = [](double [[-]] a, DistributedIndex i) -> double & { return a[i]; }; at(b, i) = 3;",
     ""},
    {"[&e = a[i]] { e = 3; }();", "a[i] perhaps, a[i] surely"},
    // Objects.
    {"Keeper k{a[i]};", "a[i] perhaps"},
    {"auto k = Keeper{a[i]};", "a[i] perhaps"},
    {"Reader k{a[i]};", ""},
    {"Pointing k(&a[i]);", "a[i] perhaps"},
    {"Counted k(a[i]);", "a[i] surely"},
    {"s[i].set(3);", "s[i].v surely"},
    {"s[i].setBoth(3);", "s[i].v surely, s[i].w surely"},
    {"b[i] = s[i].get() + s[i].getConst();", "b[i] surely"},
    {"s[i].later();", "s[i] perhaps"},
    {"s[i] += 3.0;", "s[i].v surely"},
    {"s[i] -= 3.0;", "s[i].w surely"},
    {"b[i] = s[i] * 2.0 + (s[i] + 2.0);", "b[i] surely"},
    {"Cell c = s[i]; c.set(3);", ""},
    // The standard library.
    {"std::swap(a[i], b[i]);", "a[i] surely, b[i] surely"},
    {"b[i] = std::exchange(a[i], 3);", "b[i] surely, a[i] surely"},
    {"std::tie(a[i], b[i]) = std::make_pair(1.0, 2.0);", "a[i] surely, b[i] surely"},
    {"auto [u, v] = std::tie(a[i], b[i]); u = 3;", "a[i] perhaps, b[i] perhaps"},
    {"b[i] = std::modf(2.5, &a[i]);", "b[i] surely, a[i] surely"},
    {"b[i] = std::max(a[i], 3.0) + std::sqrt(a[i]);", "b[i] surely"},
    {"std::cin >> a[i];", "a[i] perhaps"},
    {"std::cout << a[i];", ""},
    {"std::fill(t[i].x.begin(), t[i].x.end(), 0.0);", "t[i].x perhaps"},
    {"t[i].x.fill(0);", "t[i].x surely"},
    {"z[i].real(3);", "z[i] surely"},
    {"b[i] = z[i].real();", "b[i] surely"},
};

std::string told(const analysis::ElementWrite& write) {
    std::string text = ast::print(write.access);
    for (const analysis::Step& step : write.steps)
        text += step.isMember() ? "." + ast::print(step.name()) : "[]";
    const char* words[] = {" out of sight", " perhaps", " surely"};
    return text + words[static_cast<int>(write.writing)];
}

std::vector<std::string> words(const std::string& list) {
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(", ", begin), list.size());
        result.push_back(list.substr(begin, end - begin));
        begin = end + 2;
    }
    std::ranges::sort(result);
    return result;
}

TEST(ElementWrites, OfStatements) {
    for (const Case& each : cases) {
        const Program p(
            functions +
            "struct Table { std::array<double, 3> x; };"
            "void f(double [[-]] a, double [[-]] b, Cell [[-]] s, Table [[-]] t, "
            "std::complex<double> [[-]] z, Range x, int n, Shape &shape, Box &box) { overall (i "
            "= x for :) { " +
            each.statements + " } }");
        ASSERT_TRUE(p.parsed()) << each.statements;
        const ast::NodePtr nest = p.findLast(ast::is<ast::Overall>);
        ASSERT_TRUE(nest) << each.statements;
        const analysis::ElementWrites writes(nest);
        std::vector<std::string> found;
        ast::anywhere(nest, [&](ast::NodePtr node) {
            for (const analysis::ElementWrite& write : writes.at(node))
                found.push_back(told(write));
            return false;
        });
        std::ranges::sort(found);
        EXPECT_EQ(words(each.answer), found) << each.statements;
    }
}

}  // namespace
}  // namespace hpcc::testing
