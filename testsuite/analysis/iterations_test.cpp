// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two iterations of a nest meet at one element.
#include "ast/visitor.hpp"
#include "check/halo/dependence.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

using check::halo::Dependence;

struct Case {
    std::string nest;  // changes b and reads it elsewhere
    Dependence answer;
};

struct Accesses : ast::Visitor {
    ast::NodePtr nest = nullptr, write = nullptr, read = nullptr;

    /// b[i] of b[i].u[k]
    static ast::NodePtr elementOf(ast::NodePtr part) {
        while (!part->is<ast::Subscript>() || part->child(ast::Subscript::base)->text() != "b")
            part = part->child(0);
        return part;
    }
    void visitOverall(ast::NodePtr node) override {
        if (!nest) nest = node;
        visitChildren(node);
    }
    void visitAssign(ast::NodePtr node) override {
        const ast::NodePtr target = node->child(ast::Assign::target);
        if (!write && target->text().starts_with("b[")) {
            write = elementOf(target);
            visit(node->child(ast::Assign::value));
        } else {
            visitChildren(node);
        }
    }
    void visitSubscript(ast::NodePtr node) override {
        const bool isOther = node->text().starts_with("b[") && node != write;
        if (isOther && node->child(ast::Subscript::base)->text() == "b") read = node;
        visitChildren(node);
    }
};

constexpr auto never = Dependence::None, perhaps = Dependence::Perhaps,
               surely = Dependence::Certain;

const std::vector<Case> cases = {
    // one distributed dimension
    {"overall (i = x for 1 :) b[i] = b[i - 1];", surely},
    {"overall (i = x for 1 : 6 : 2) b[i] = b[i - 1];", never},
    {"overall (i = x for 1 : 6 : 2) b[i] = b[i - 2];", surely},
    {"overall (i = x for 1 : 6 : 3) b[i] = b[i - 2];", never},
    {"overall (i = x for 4 : 4) b[i] = b[i - 1];", never},
    {"overall (i = x for 4 : 5) b[i] = b[i - 1];", surely},
    {"overall (i = x for 4 : 5) b[i] = b[i - 2];", never},
    {"overall (i = x for k : k) b[i] = b[i - 1];", never},
    {"overall (i = x for k : k + 1) b[i] = b[i - 1];", surely},
    {"overall (i = x for k : m) b[i] = b[i - 1];", perhaps},
    {"overall (i = x for k :) b[i] = b[i - 1];", perhaps},
    {"overall (i = x for : : k) b[i] = b[i - 1];", perhaps},
    {"overall (i = x for k : : 2 * k) b[i] = b[i - k];", never},
    {"overall (i = x for k :) b[i] = b[i - k];", perhaps},
    {"overall (i = x for x.size() - 1 :) b[i] = b[i - 1];", never},
    {"overall (i = x for x.size() - 2 :) b[i] = b[i - 1];", surely},
    // of eight locations, of three, and of one
    {"overall (i = y for 1 :) b[i] = b[i - 1];", surely},
    {"overall (i = three for :) b[i] = b[i - 2];", surely},
    {"overall (i = three for 1 :) b[i] = b[i - 2];", never},
    {"overall (i = one for :) b[i] = b[i - 1];", never},
    {"overall (i = made for 1 : m - 2) b[i] = b[i - 1];", surely},
    {"overall (i = made for m - 1 :) b[i] = b[i - 1];", never},
    {"overall (i = made for :) b[i] = b[i - 2];", perhaps},  // m may be 2
    {"overall (i = made for m - 2 : 0 : -2) b[i] = b[i + 2];", surely},
    {"overall (i = made for made.size() - 3 :) b[i] = b[i + 1];", surely},
    // what does not run, or not for certain
    {"overall (i = x for 1 :) { if (i` % 2) continue; b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (i` % 2) { ++n; continue; } b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (i` % 2) ++n; else continue; b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (i` % 2) { if (k > 0) continue; } b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (i` % 2 != 1) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (i` % 2 != 0) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if ((i` - 9) % 2 != 0) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if ((i` - 9) % 2 != 1) b[i] = b[i - 1]; }", perhaps},  // -1
    {"overall (i = x for 1 :) { if (((i` - 9) & 1) != 1) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (i` % 2 != 2) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (i` % 2 == k % 2) continue; b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (i` % 2 == (k & 1)) continue; b[i] = b[i - 1]; }", never},
    // one bit, under a cast or as a truth value
    {"overall (i = x for 1 :) { if (int(i` & 1) != int(k & 1)) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (int(i` % 2) == (int)(k & 1)) continue; b[i] = b[i - 1]; }",
     never},
    {"overall (i = x for 1 :) { if (int(i` & 1) != int(k & 2)) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (int(i` & 1) != k % 2) b[i] = b[i - 1]; }", perhaps},  // -1
    {"overall (i = x for 1 :) { if ((i` & 1) != flag) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (bool(i` & 1) != flag) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if ((i` & 1) == !flag) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (bool(i` & 2) == flag) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (bool(i`) == flag) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { const bool h = i`; if (h == flag) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { const bool h = i`; if (h == true) b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { const bool h = i` & 1; if (h == flag) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { const signed char h = i`; if (!h) b[i] = b[i - 256]; }", perhaps},
    {"overall (i = x for 1 :) { const int h = i` == 9; if (h) b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) { if (k) ++n; if (k) { ++n; continue; } b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { { if (k) continue; } b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) { if (k) goto skip; b[i] = b[i - 1]; skip:; }", perhaps},
    {"overall (i = x for 1 :) { switch (k) { case 1: continue; } b[i] = b[i - 1]; }", perhaps},
    {"overall (i = x for 1 :) try { f(); b[i] = b[i - 1]; } catch (...) {}", perhaps},
    {"overall (i = x for 1 :) if (k > 0) b[i] = b[i - 1];", perhaps},
    {"overall (i = x for 1 :) if (i` == 4) b[i] = b[i - 1];", never},
    {"overall (i = x for 1 :) if (i` > 4 && i` < 6) b[i] = b[i - 1];", never},
    {"overall (i = x for 1 :) if (!(i` < 5 || i` > 6)) b[i] = b[i - 1];", perhaps},
    {"overall (i = x for 1 :) switch (i` % 3) { case 1: b[i] = b[i - 1]; }", never},
    {"overall (i = x for 1 :) switch (i` % 3) { case 1: b[i] = b[i - 3]; }", perhaps},
    {"overall (i = x for 1 :) switch (i` % 2) { case 0: b[i] = 1; break; case 1: k = b[i - 1]; }",
     perhaps},
    // two dimensions: colours, diagonals, triangles
    {"overall (i = x for 1 :) overall (j = y for 1 + (i` + k) % 2 : 6 : 2) b[i, j] = b[i - 1, j];",
     never},
    {"overall (i = x for 1 :) overall (j = made for 1 + (i` + k) % 2 : m - 2 : 2) "
     "b[i, j] = b[i - 1, j - 1];",
     perhaps},
    {"overall (i = x for 1 :) overall (j = y for 1 + k % 2 : 6 : 2) b[i, j] = b[i - 1, j];",
     surely},
    {"overall (i = x for 1 :) overall (j = y for k - i` : k - i`) b[i, j] = b[i - 1, j];", never},
    {"overall (i = x for 1 :) overall (j = y for k - i` : k - i`) b[i, j] = b[i, j - 1];", never},
    {"overall (i = x for 1 :) overall (j = y for k - i` : k - i`) b[i, j] = b[i - 1, j + 1];",
     perhaps},
    {"overall (i = x for 1 :) overall (j = y for k - i` : k - i` + 1) b[i, j] = b[i - 1, j];",
     perhaps},
    {"overall (i = x for 1 :) overall (j = y for i` :) b[i, j] = b[i + 1, j];", perhaps},
    {"overall (i = x for 1 :) overall (j = y for 2 * i` : 2 * i`) b[i, j] = b[i - 1, j - 1];",
     never},
    {"overall (i = x for 1 :) overall (j = y for 1 :) b[i, j] = b[i, j - 1];", surely},
    // sequential subscripts
    {"overall (i = x for 1 :) { const Index j = k - i`; b[i, j] = b[i - 1, j - 1]; }", never},
    {"overall (i = x for 1 :) { const Index j = k - i`; b[i, j] = b[i - 1, j]; }", never},
    {"overall (i = x for 1 :) { const Index j = k - i`; b[i, j] = b[i - 1, j + 1]; }", surely},
    {"overall (i = x for 1 :) b[i, k] = b[i - 1, k];", surely},
    {"overall (i = x for 1 :) { static const Index h = i`; b[i, h] = b[i - 1, h]; }", perhaps},
    {"static const int h = k; overall (i = x for 1 :) b[i, h] = b[i - 1, k];", perhaps},
    {"static const int h = 3; overall (i = x for 1 :) b[i, h] = b[i - 1, 3];", surely},
    {"overall (i = x for 1 :) { ++k; b[i, k] = b[i - 1, k]; }", perhaps},
    {"overall (i = x for 1 :) b[i, 1 - k] = b[i - 1, k];", never},
    {"overall (i = x for 1 :) b[i, k ^ 1] = b[i - 1, k];", never},
    {"overall (i = x for 1 :) b[i, (k + 1) % 2] = b[i - 1, k % 2];", never},
    {"overall (i = x for 1 :) b[i, k & 1] = b[i - 1, !(k & 1)];", never},
    {"overall (i = x for 1 :) b[i, flag] = b[i - 1, !flag];", never},
    {"overall (i = x for 1 :) b[i, bool(k)] = b[i - 1, 1 - bool(k)];", never},
    {"overall (i = x for 1 :) b[i, bool(k)] = b[i - 1, !k];", never},
    {"overall (i = x for 1 :) b[i, bool(k)] = b[i - 1, bool(k + 1)];", perhaps},
    {"overall (i = x for 1 :) b[i, bool(k)] = b[i - 1, 2];", never},
    {"overall (i = x for 1 :) b[i, bool(k)] = b[i - 1, m];", perhaps},
    {"overall (i = x for 1 :) b[i, 1 ^ (k & 1)] = b[i - 1, k & 1];", never},
    {"overall (i = x for 1 :) b[i, k] = b[i - 1, m];", perhaps},
    {"overall (i = x for 1 :) b[i, k * m] = b[i - 1, k * m + 1];", never},
    {"overall (i = x for 1 :) b[i, i` % 3] = b[i - 1, i` % 3];", never},
    {"overall (i = x for 1 :) b[i, i` / 2] = b[i - 3, i` / 2];", never},
    {"overall (i = x for 1 :) b[i].u[2 * k] = b[i - 1].u[2 * m + 1];", never},
    // one location under two names
    {"overall (i = x for 1 :) overall (k2 = x for i` : i`) b[i] = b[k2 - 0];", never},
    {"overall (i = x for 1 :) overall (k2 = x for i` + 1 : i` + 1) b[i] = b[k2 - 1];", never},
    {"overall (i = x for 1 :) overall (k2 = x for i` + 1 : i` + 1) b[i] = b[k2 - 2];", perhaps},
};

TEST(Rule5, OfIterations) {
    for (const Case& each : cases) {
        const Program p(
            "template <class A> void f(A b, Range x, int k, int m, int n, bool flag, Procs1 p) { "
            "ExtBlockRange y(8, p.dim(0)), three(3, p.dim(0)), one(1, p.dim(0)), made(m, "
            "p.dim(0)); " +
            each.nest + " }");
        ASSERT_TRUE(p.parsed()) << each.nest;
        Accesses accesses;
        accesses.visit(p.unit().root);
        ASSERT_TRUE(accesses.nest && accesses.write && accesses.read) << each.nest;
        EXPECT_EQ(each.answer, check::halo::NestDependences(accesses.nest, accesses.nest)
                                   .of(accesses.write, accesses.read))
            << each.nest;
    }
}

}  // namespace
}  // namespace hpcc::testing
