// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables are live: examples, and random functions against a search for ways to a read.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "function_fixture.hpp"
#include "optimize/liveness.hpp"

namespace hpcc::optimize {
namespace {

bool never(const Step&) { return false; }

/// Assigns one variable that does not escape, and does nothing else.
bool isAssignment(const Step& step) {
    return step.defs.size() == 1 && step.defs[0] >= firstVariable &&
           (step.node->is<ast::Assign>() || step.node->is<ast::InitDeclarator>());
}

/// True if the variable is live behind the step with that text.
bool isLiveBehind(const FunctionFixture& f, std::string_view step, std::string_view variable,
                  bool (*mayGo)(const Step&) = never) {
    const Liveness liveness(f.graph, mayGo);
    bool result = false;
    for (size_t block = 0; block < f.graph.blocks().size(); ++block)
        liveness.sweep(static_cast<int>(block), [&](int number, const Facts& live) {
            const Step& each = f.graph.blocks()[block].steps[static_cast<size_t>(number)];
            if (each.node->text() == step)
                result |= live[static_cast<size_t>(f.variable(variable))];
        });
    return result;
}

TEST(Liveness, endsWithTheLastRead) {
    const FunctionFixture f("int k = n; g(k + 1); g(0);");
    EXPECT_TRUE(isLiveBehind(f, "k = n", "k"));
    EXPECT_FALSE(isLiveBehind(f, "g(k + 1)", "k"));
}

TEST(Liveness, isEndedByAnAssignmentThatDoesNotRead) {
    const FunctionFixture f("int k = n; g(1); k = 2; g(k + 1);");
    EXPECT_FALSE(isLiveBehind(f, "g(1)", "k"));
    const FunctionFixture moved("int k = n; g(1); k += 2; g(k + 1);");
    EXPECT_TRUE(isLiveBehind(moved, "g(1)", "k"));
}

TEST(Liveness, goesRoundLoops) {
    const FunctionFixture f("int k = n; while (c) { g(k + 1); k = 2; g(3); }");
    EXPECT_TRUE(isLiveBehind(f, "g(3)", "k"));
    const FunctionFixture left("int k = n; while (c) { g(k + 1); k = 2; break; }");
    EXPECT_FALSE(isLiveBehind(left, "k = 2", "k"));
}

TEST(Liveness, ofWhatOnlyMovesOnIsNone) {
    const FunctionFixture f("int k = n; for (int m = 0; m < n; ++m, k += 2) g(1);");
    EXPECT_TRUE(isLiveBehind(f, "k += 2", "k"));
    EXPECT_FALSE(isLiveBehind(f, "k += 2", "k", isAssignment));
    EXPECT_FALSE(isLiveBehind(f, "k = n", "k", isAssignment));
}

TEST(Liveness, isNoneWhereControlNeverComes) {
    const FunctionFixture f("for (int k = n; c; k += 2) { g(k + 1); break; }");
    EXPECT_TRUE(isLiveBehind(f, "k = n", "k"));
    EXPECT_FALSE(isLiveBehind(f, "k += 2", "k"));
}

TEST(Liveness, reachesHandlersFromEachStep) {
    const FunctionFixture f(
        "int k = n; try { k = 1; g(1); k = 2; g(2); } catch (...) { g(k + 3); }");
    for (const char* step : {"k = n", "k = 1", "g(1)", "k = 2", "g(2)"})
        EXPECT_TRUE(isLiveBehind(f, step, "k")) << step;
    const FunctionFixture outside("int k = n; k = 1; try { k = 2; } catch (...) { g(k + 3); }");
    EXPECT_FALSE(isLiveBehind(outside, "k = n", "k"));
    EXPECT_TRUE(isLiveBehind(outside, "k = 1", "k"));
}

TEST(Liveness, neverEndsForWhatOtherCodeMayRead) {
    const FunctionFixture f(
        "int k = n, l = n, m = n; auto r = [&] { return k; }; g(&l); auto s = [m] { return m; }; "
        "g(1);");
    EXPECT_TRUE(isLiveBehind(f, "g(1)", "k"));
    EXPECT_TRUE(isLiveBehind(f, "g(1)", "l"));
    EXPECT_TRUE(isLiveBehind(f, "g(1)", "m"));
}

TEST(Liveness, seesLengthsOfArrays) {
    const FunctionFixture f("const int k = 2; g(1); double line[k]; g(line[0]);");
    EXPECT_TRUE(isLiveBehind(f, "g(1)", "k"));
}

// ---- random functions --------------------------------------------------------------------------

constexpr int variableCount = 3;

/// What one line of a random function does; the text of its step tells which it is.
struct Line {
    enum class Kind { Read, Replace, Move } kind = Kind::Read;
    int target = -1;
    int source = -1;

    std::string text() const {
        const std::string read = "v" + std::to_string(source);
        if (kind == Kind::Read) return "g(" + read + " + 0)";
        return "v" + std::to_string(target) + (kind == Kind::Move ? " += " : " = ") + read;
    }
};

/// Labelled lines with jumps to any of them.
struct RandomFunction {
    explicit RandomFunction(unsigned seed) : random(seed) {
        const int count = number(2, 8);
        for (int k = 0; k < variableCount; ++k) {
            const std::string declarator = "v" + std::to_string(k) + " = 7";
            byText[declarator] = {Line::Kind::Replace, k, -1};
            body += "int " + declarator + ";\n";
        }
        for (int label = 0; label < count; ++label) {
            body += "l" + std::to_string(label) + ": ;\n";
            for (int lines = number(0, 2); lines > 0; --lines) {
                const Line line{static_cast<Line::Kind>(number(0, 2)), number(0, variableCount - 1),
                                number(0, variableCount - 1)};
                byText[line.text()] = line;
                body += line.text() + ";\n";
            }
            const std::string jump = "goto l" + std::to_string(number(0, count - 1)) + ";\n";
            const int how = number(0, 3);
            if (how == 0) body += jump;
            if (how == 1) body += "return;\n";
            if (how == 2) body += "if (c) " + jump;
        }
    }

    int number(int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    }

    std::mt19937 random;
    std::string body;
    std::map<std::string, Line, std::less<>> byText;
};

/// Follows the value of a variable from one point on until a read that counts.
class Search {
public:
    Search(const RandomFunction& function, const FlowGraph& graph, bool isFaint)
        : function_(function), graph_(graph), isFaint_(isFaint) {}

    bool findsRead(size_t block, size_t step, int variable) {
        if (!seen_.insert({block, step, variable}).second) return false;
        const Block& here = graph_.blocks()[block];
        if (step == here.steps.size())
            return std::ranges::any_of(here.successors, [&](int next) {
                return findsRead(static_cast<size_t>(next), 0, variable);
            });
        const auto line = function_.byText.find(here.steps[step].node->text());
        if (line == function_.byText.end()) return findsRead(block, step + 1, variable);
        const auto& [kind, target, source] = line->second;
        const bool isMove = kind == Line::Kind::Move && target == variable;
        if (source == variable || isMove) {
            if (kind == Line::Kind::Read || !isFaint_) return true;
            if (findsRead(block, step + 1, target)) return true;  // the value goes on there
        }
        const bool isLost = kind == Line::Kind::Replace && target == variable;
        return !isLost && findsRead(block, step + 1, variable);
    }

private:
    const RandomFunction& function_;
    const FlowGraph& graph_;
    bool isFaint_;
    std::set<std::tuple<size_t, size_t, int>> seen_;
};

TEST(Liveness, agreesWithASearchForReads) {
    int live = 0, all = 0;
    for (unsigned seed = 0; seed < 1500 && !HasFailure(); ++seed) {
        const RandomFunction function(seed);
        SCOPED_TRACE(function.body);
        const FunctionFixture f(function.body);
        ASSERT_TRUE(f.graph.isKnown());
        for (const bool isFaint : {false, true}) {
            const Liveness liveness(f.graph, isFaint ? isAssignment : never);
            for (size_t block = 0; block < f.graph.blocks().size(); ++block)
                liveness.sweep(static_cast<int>(block), [&](int step, const Facts& found) {
                    for (int k = 0; k < variableCount; ++k) {
                        if (!f.versions.isReached(static_cast<int>(block))) continue;
                        Search search(function, f.graph, isFaint);
                        const bool isLive =
                            search.findsRead(block, static_cast<size_t>(step) + 1, k);
                        const int variable = f.variable("v" + std::to_string(k));
                        EXPECT_EQ(found[static_cast<size_t>(variable)], isLive)
                            << "v" << k << " behind "
                            << f.graph.blocks()[block].steps[static_cast<size_t>(step)].node->text()
                            << (isFaint ? ", faint" : "");
                        live += isLive;
                        ++all;
                    }
                });
        }
    }
    EXPECT_GT(live, all / 10);
    EXPECT_LT(live, 9 * all / 10);
}

}  // namespace
}  // namespace hpcc::optimize
