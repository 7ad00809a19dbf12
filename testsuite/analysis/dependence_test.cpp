// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which iterations of a loop two accesses meet: program text, question, answer.
#include "analysis/dependence.hpp"
#include "ast/visitor.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

using analysis::Outer;

struct Case {
    std::string nest;    // its first access to b, and its last one
    std::string loop;    // of this index or counter,
    std::string answer;  // "never", "same", "perhaps" or the distance of the last from the first
    Outer outer = Outer::One;
    std::string width = "n";  // of rows
};

struct Accesses : ast::Visitor {
    ast::NodePtr nest = nullptr, first = nullptr, last = nullptr;

    void visitOverall(ast::NodePtr node) override {
        if (!nest) nest = node;
        visitChildren(node);
    }
    void visitFor(ast::NodePtr node) override {
        if (!nest) nest = node;
        visitChildren(node);
    }
    void visitSubscript(ast::NodePtr node) override {
        if (node->child(ast::Subscript::base)->text() == "b") {
            if (!first) first = node;
            last = node;
        }
        visitChildren(node);
    }
};

struct Header : ast::Visitor {
    explicit Header(std::string_view name) : name(name) {}
    std::string_view name;
    ast::NodePtr found = nullptr;

    void visitOverallHeader(ast::NodePtr node) override {
        if (node->child(ast::OverallHeader::index)->text() == name) found = node;
    }
    void visitFor(ast::NodePtr node) override {
        const auto loop = analysis::countingLoop(node);
        if (loop && loop->name->text() == name) found = node;
        visitChildren(node);
    }
};

// The value of the first variable.
struct Initializer : ast::Visitor {
    ast::NodePtr found = nullptr;

    void visitEqualInitializer(ast::NodePtr node) override {
        if (!found) found = node->child(ast::EqualInitializer::value);
    }
};

std::string text(const analysis::Meeting& meeting) {
    using Kind = analysis::Meeting::Kind;
    switch (meeting.kind) {
    case Kind::Never:
        return "never";
    case Kind::SameIteration:
        return "same";
    case Kind::Distance:
        return std::to_string(meeting.distance);
    default:
        return "perhaps";
    }
}

const std::vector<Case> cases = {
    // one loop, with a shift
    {"overall (i = x for :) b[i] = b[i];", "i", "same"},
    {"overall (i = x for 1 :) b[i] = b[i - 1];", "i", "1"},
    {"overall (i = x for 1 :) b[i + 2] = b[i - 1];", "i", "3"},
    {"overall (i = x for 1 : 6 : 2) b[i] = b[i - 1];", "i", "never"},
    {"overall (i = x for 1 : 6 : 2) b[i] = b[i - 2];", "i", "2"},
    {"overall (i = x for 2 : 4) b[i] = b[i - 3];", "i", "never"},
    {"overall (i = x for :) b[i] = b[i - m];", "i", "perhaps"},
    {"overall (i = x for :) b[i + m] = b[i + m];", "i", "same"},
    {"overall (i = x for :) b[i + m + 1] = b[i + 1 + m];", "i", "same"},
    {"overall (i = x for :) { ++m; b[i + m] = b[i + m]; }", "i", "perhaps"},
    {"overall (i = x for : : m) b[i] = b[i];", "i", "same"},
    {"overall (i = x for : : 2 * h) b[i] = b[i - h];", "i", "never"},
    // fixed subscripts
    {"overall (i = x for :) b[i, 0] = b[i - 1, 1];", "i", "never"},
    {"overall (i = x for :) b[i, 0] = b[i - 1, 0];", "i", "1"},
    {"overall (i = x for :) b[0] = b[0];", "i", "perhaps"},
    {"overall (i = x for :) b[i, 1 - m] = b[i - 1, m];", "i", "never"},
    {"overall (i = x for :) b[i, m] = b[i - 1, m + 1];", "i", "never"},
    {"overall (i = x for :) b[i, u] = b[i - 1, u + 1];", "i", "never"},
    {"overall (i = x for :) b[i, (t + 1) % 2] = b[i - 1, t % 2];", "i", "never"},
    {"overall (i = x for :) b[i, (t + 1) & 1] = b[i - 1, t & 1];", "i", "never"},
    {"overall (i = x for :) b[i, (t + 1) % 3] = b[i - 1, t % 3];", "i", "never"},
    {"overall (i = x for :) b[i, (t + 3) % 3] = b[i - 1, t % 3];", "i", "1"},
    {"overall (i = x for :) b[i, (u + 1) % 2] = b[i - 1, u % 2];", "i", "never"},
    {"overall (i = x for :) b[i, (u + 1) % 3] = b[i - 1, u % 3];", "i", "1"},  // 2^32 % 3 is 1
    {"overall (i = x for :) b[i, (z - 1) % 3] = b[i - 1, z % 3];", "i", "1"},  // 0 - 1 is large
    {"overall (i = x for :) b[i, (z - 1) % 4] = b[i - 1, z % 4];", "i", "never"},
    {"overall (i = x for :) b[i, g + 1] = b[i - 1, g];", "i", "1"},  // perhaps a fraction
    {"overall (i = x for :) { const int c = m + 1; b[i, c] = b[i - 1, m]; }", "i", "never"},
    {"overall (i = x for :) { const short c = m + 70000; b[i, c] = b[i - 1, m]; }", "i", "never"},
    {"overall (i = x for :) { const short c = m + 65536; b[i, c] = b[i - 1, m]; }", "i", "1"},
    {"overall (i = x for :) b[i, far] = b[i - 1, m];", "i", "never"},  // m + 5
    // a counter
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k] = b[i, k + 3];", "k", "-3"},
    {"overall (i = x for :) for (int k = 0; k < 3; ++k) b[i, k] = b[i, k + 3];", "k", "never"},
    {"overall (i = x for :) for (int k = 0; k <= 3; ++k) b[i, k] = b[i, k + 3];", "k", "-3"},
    {"overall (i = x for :) for (int k = 3; k >= 1; --k) b[i, k] = b[i, k + 3];", "k", "never"},
    {"overall (i = x for :) for (int k = m; k < m + 3; ++k) b[i, k] = b[i, k + 3];", "k", "never"},
    {"overall (i = x for :) for (int k = 0; k != 3; ++k) b[i, k] = b[i, k + 3];", "k", "-3"},
    {"overall (i = x for :) for (int k = 0; k < n; k += 2) b[i, k] = b[i, k + 1];", "k", "never"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, 2 * k] = b[i, 2 * k + 1];", "k",
     "never"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, 2 * k] = b[i, 2 * k + 4];", "k",
     "perhaps"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, n * m + k] = b[i, m * n + k];", "k",
     "same"},
    {"overall (i = x for :) for (unsigned k = 0; k < u; ++k) b[i, k + 1] = b[i, k + 1];", "k",
     "same"},
    {"overall (i = x for :) for (std::size_t k = 0; k < z; ++k) b[i, k + 1] = b[i, k + 1];", "k",
     "same"},
    {"overall (i = x for :) for (std::size_t k = 0; k < z - 1; ++k) b[i, k] = b[i, k + z - 1];",
     "k", "perhaps"},  // z may be 0
    {"overall (i = x for :) for (int k = 0; k < n - 1; ++k) b[i, k] = b[i, k + n - 1];", "k",
     "never"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) { k += m; b[i, k] = b[i, k]; }", "i",
     "same"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, m, k] = b[i, m + 1, k - 1];", "k",
     "never"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k / 2] = b[i, k / 2];", "k",
     "perhaps"},
    // the loop outside, or inside
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k] = b[i, k + 3];", "i", "same"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k] = b[i - 1, k];", "k", "never"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k] = b[i - 1, k];", "k", "same",
     Outer::Any},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) b[i, k] = b[i - 1, k + 1];", "k", "-1",
     Outer::Any},
    {"overall (i = x for :) { for (int k = 0; k < n; ++k) b[i, k] = 1; for (int l = 0; l < n; ++l) "
     "b[i, l] = 2; }",
     "i", "same"},
    {"overall (i = x for :) { for (int k = 0; k < n; ++k) b[k, i] = 1; for (int l = 0; l < n; ++l) "
     "b[l + m, i - 1] = 2; }",
     "i", "1"},
    // colours, diagonals, triangles
    {"overall (i = x for 1 :) overall (j = y for 1 + (i` + t) % 2 : 6 : 2) b[i, j] = b[i - 1, j];",
     "i", "never"},
    {"overall (i = x for 1 :) overall (j = y for 1 + (i` + t) % 2 : 6 : 2) b[i, j] = b[i, j + 1];",
     "j", "never"},
    {"overall (i = x for 1 :) overall (j = y for 1 + (i` + t) % 2 : 6 : 2) b[i, j] = b[i - 1, j - "
     "1];",
     "i", "1"},
    {"overall (i = x for 1 :) overall (j = y for 1 + (i` + u) % 2 : 6 : 2) b[i, j] = b[i - 1, j];",
     "i", "never"},
    {"overall (i = x for 1 :) overall (j = y for m - i` : m - i`) b[i, j] = b[i - 1, j];", "i",
     "never"},
    {"overall (i = x for 1 :) overall (j = y for m - i` : m - i`) b[i, j] = b[i - 1, j + 1];", "i",
     "1"},
    {"overall (i = x for :) for (int k = i` + 1; k < n; ++k) b[i, k] = b[k, i];", "i", "perhaps"},
    {"overall (i = x for :) for (int k = i` + 1; k < n; ++k) b[i`, k] = b[k, i`];", "i", "never"},
    {"overall (i = x for :) for (int k = i` + 1; k < n; ++k) b[i`, k] = b[k - 1, i` + 1];", "i",
     "same"},
    {"overall (i = x for :) for (int k = i` + 1; k < n; ++k) b[i`, k] = b[k - 2, i` + 2];", "i",
     "perhaps"},
    {"overall (i = x for :) for (int k = 0; k < i`; ++k) for (int l = k + 1; l < n; ++l) b[i, k] = "
     "b[i, l];",
     "k", "perhaps"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) for (int l = k + 1; l < k + 1; ++l) "
     "b[i, k] = b[i, l];",
     "k", "never"},
    // conditions
    {"overall (i = x for :) { if (i` % 2 == 0) b[i] = b[i - 1]; }", "i", "never"},
    {"overall (i = x for :) { if (i` % 2 == 0) b[i] = 1; else n = b[i]; }", "i", "same"},
    {"overall (i = x for :) { if (i` % 2 == 0) b[i] = 1; else n = b[i - 2]; }", "i", "never"},
    {"overall (i = x for :) { if (i` < 4) b[i] = 1; else n = b[i - 4]; }", "i", "4"},
    {"overall (i = x for :) { if (i` < 4) b[i] = 1; else n = b[i + 1]; }", "i", "never"},
    {"overall (i = x for :) { if (i` % 2 == m) b[i] = b[i - 1]; }", "i", "never"},
    {"overall (i = x for :) { if (i` % 2 == n) ++n; b[i] = b[i - 1]; }", "i", "1"},
    {"overall (i = x for :) for (int k = 0; k < n; ++k) { if (k == i`) continue; b[k] = b[i`]; }",
     "i", "perhaps"},
    // names that mean something else
    {"overall (i = x for :) { const int c = k + 1; for (int k = 0; k < n; ++k) b[i, c] = b[i, k]; "
     "}",
     "k", "perhaps"},
    {"overall (i = x for :) for (int l = 0; l < n; ++l) { const int c = l + 1; b[i, c] = b[i, c]; "
     "}",
     "l", "same"},
    {"overall (i = x for :) { int c = m; b[i, c] = 1; ++c; b[i, c + 1] = 2; }", "i", "same"},
    {"overall (i = x for :) { int c = m; b[0, c] = 1; ++c; b[0, c + 1] = 2; }", "i", "perhaps"},
    {"overall (i = x for :) b[0, s.n] = b[0, s.n + 1];", "i", "never"},
    {"overall (i = x for :) { s.n = 3; b[0, s.n] = b[0, s.n + 1]; }", "i", "perhaps"},
    // ranges that are perhaps not the same
    {"overall (i = x for :) overall (j = x for :) b[i] = b[j];", "i", "perhaps"},
    {"overall (i = x for :) overall (j = x for i` + 1 :) b[i] = b[j - 0];", "j", "never"},
    {"overall (i = x for :) overall (j = x for i` + 1 : i` + 1) b[i] = b[j - 1];", "i", "same"},
    {"overall (i = x for :) overall (j = y for i` + 1 : i` + 1) b[i] = b[j - 1];", "i", "perhaps"},
};

TEST(Dependence, OfAccesses) {
    for (const Case& each : cases) {
        const Program p(
            "struct Size { int n; }; template <class A> void f(A b, Range x, int k, int m, int n, "
            "int t, unsigned u, std::size_t z, double g, int h, Size s, Procs1 p) { "
            "const int far = m + 5; ExtBlockRange y(8, p.dim(0)); " +
            each.nest + " }");
        ASSERT_TRUE(p.parsed()) << each.nest;
        Accesses accesses;
        accesses.visit(p.unit().root);
        ASSERT_TRUE(accesses.nest && accesses.first != accesses.last) << each.nest;
        Header header(each.loop);
        header.visit(accesses.nest);
        ASSERT_TRUE(header.found) << each.nest;
        analysis::Dependences dependences({accesses.nest});
        EXPECT_EQ(each.answer, text(dependences.meeting(accesses.first, accesses.last, header.found,
                                                        each.outer)))
            << each.nest << " of " << each.loop;
    }
}

// The same of rows of n or of 6 elements that lie one behind the other.
const std::string rows = "for (int i = 1; i < m; ++i) for (int j = 0; j < n; ++j) ";
const std::vector<Case> rowCases = {
    {rows + "b[i * n + j] = b[n * i + j];", "i", "same"},
    {rows + "b[i * n + j] = b[i * n + n - 1 - j];", "i", "same"},
    {rows + "b[i * n + j] = b[(i - 1) * n + j];", "i", "1"},
    {rows + "b[i * n + j] = b[i * n + j - n];", "i", "1"},
    {rows + "b[i * n + j] = b[(i + 1) * n - 1 - j];", "i", "same"},
    {rows + "{ const int c = i * n + j; b[c] = b[c + n]; }", "i", "-1"},
    {rows + "b[i * n + j] = b[i * n];", "i", "same"},
    {"for (int i = 1; i < m; i += 2) for (int j = 0; j < n; ++j) b[i * n + j] = b[(i - 1) * n + "
     "j];",
     "i", "never"},
    {"for (int k = 0; k < n; ++k) for (int i = k + 1; i < n; ++i) for (int j = k; j < n; ++j) "
     "b[i * n + j] = b[k * n + j];",
     "i", "never"},
    {"for (int k = 0; k < 9; ++k) for (int i = 1; i < m; ++i) for (int j = 1 + (i + k) % 2; j < n; "
     "j += 2) b[i * n + j] = b[(i - 1) * n + j];",
     "i", "never"},
    {"for (int i = 0; i < m; ++i) for (int j = 0; j < 6; ++j) b[6 * i + j] = b[i * 6 + 5 - j];",
     "i", "same", Outer::One, "6"},
    {"for (int i = 0; i < m; ++i) b[6 * i + 7] = b[i * 6 + 1];", "i", "1", Outer::One, "6"},
    // not known to be in the row
    {"for (int i = 0; i < m; ++i) b[i * n] = b[i * n];", "i", "perhaps"},  // n may be 0
    {"for (int i = 0; i < m; ++i) for (int j = 0; j <= n; ++j) b[i * n + j] = b[i * n + n - j];",
     "i", "perhaps"},
    {"for (int i = 0; i < m; ++i) for (int j = 0; j < k; ++j) b[i * n + j] = b[i * n + k - 1 - j];",
     "i", "perhaps"},
    {"for (int i = 0; i < m; ++i) for (int j = -1; j < n; ++j) b[i * n + j] = b[i * n + n - 2 - "
     "j];",
     "i", "perhaps"},
    {"for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) b[i * h + j] = b[i * h + n - 1 - j];",
     "i", "perhaps"},
    {"for (int i = 0; i < m; ++i) for (unsigned j = 0; j < n; ++j) b[i * u + j] = b[i * u + j / "
     "2];",
     "i", "perhaps"},
    {"for (int i = 0; i < m; ++i) for (int j = 0; j < 7; ++j) b[6 * i + j] = b[i * 6 + 6 - j];",
     "i", "perhaps", Outer::One, "6"},
    {"for (int i = 0; i < m; ++i) for (int j = (i + k) % 2; j < n; ++j) b[i * n + j] = b[i * n + j "
     "/ "
     "2];",
     "i", "perhaps"},
};

TEST(Dependence, OfAccessesToRows) {
    for (const Case& each : rowCases) {
        const Program p(
            "template <class A> void f(A b, int k, int m, int n, int h, unsigned u) { const int "
            "width = " +
            each.width + "; " + each.nest + " }");
        ASSERT_TRUE(p.parsed()) << each.nest;
        Accesses accesses;
        accesses.visit(p.unit().root);
        Header header(each.loop);
        header.visit(accesses.nest);
        ASSERT_TRUE(header.found) << each.nest;
        Initializer width;
        width.visit(p.unit().root);
        analysis::Dependences dependences({accesses.nest});
        dependences.setWidth(width.found);
        EXPECT_EQ(each.answer, text(dependences.meeting(accesses.first, accesses.last, header.found,
                                                        each.outer)))
            << each.nest << " of " << each.loop;
    }
}

}  // namespace
}  // namespace hpcc::testing
