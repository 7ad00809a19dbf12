// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Damaged and hostile texts: no crash, no hang, no cascade; and a speed that a quadratic step would
// not reach.
#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "corpus.hpp"
#include "syntax/brackets.hpp"
#include "syntax/branches.hpp"
#include "syntax/lexer.hpp"

namespace hpcc::testing {
namespace {

std::string repeated(const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
}

// Children lie inside their parents, one behind the other.
bool isNested(ast::NodePtr node) {
    uint32_t position = node->span().begin;
    for (const ast::NodePtr child : node->children()) {
        if (!child) continue;
        if (child->span().begin < position || child->span().end > node->span().end) return false;
        if (!isNested(child)) return false;
        position = child->span().end;
    }
    return true;
}

std::string inFunction(const std::string& body) {
    return "void f(double [[-]] a) { " + body + " }\n";
}

TEST(Robustness, EmptyAndBlankTexts) {
    for (const char* text :
         {"", "\n", "  \t\n\n", "// only a comment", "#include <x>\n", "\xEF\xBB\xBF", ";"}) {
        const Parsed parsed("f.hpcpp", text);
        EXPECT_TRUE(parsed.isIdentical()) << text;
        EXPECT_FALSE(parsed.engine.hasErrors());
        EXPECT_FALSE(parsed.unit.hasExtensions);
    }
}

TEST(Robustness, BinaryFilesGiveOneError) {
    std::mt19937 random(1);
    std::string bytes;
    for (int i = 0; i < 20000; ++i) bytes += static_cast<char>(random() & 255);
    const Parsed parsed("f.hpcpp", bytes);
    ASSERT_EQ(parsed.engine.errorCount(), 1);
    EXPECT_EQ(parsed.engine.all().front().id, diagnostics::Id::BinaryFile);
    EXPECT_TRUE(parsed.isIdentical());
}

TEST(Robustness, RandomPrintableText) {
    std::mt19937 random(2);
    for (int round = 0; round < 50; ++round) {
        std::string text;
        for (int i = 0; i < 500; ++i) text += static_cast<char>(' ' + random() % 95);
        EXPECT_TRUE(Parsed("f.hpcpp", text).isIdentical()) << text;
    }
}

// A bracket in a branch of #if never pairs with one outside of the branches.
TEST(Robustness, UnpairedBracketsInBranchesThatAreABody) {
    for (const char* branch : {"a[i] ] = 5;", "a i] = 5;", "a[i = 5;", "f(a[i);", "} a[i] = 5;",
                               "{ a[i] = 5;", "a[[i] = 5;", "[[hpspmd::host] a[i] = 5;"}) {
        const std::string text = inFunction(std::string("at (i = x[3])\n#ifdef FAST\n") + branch +
                                            "\n#else\na[i] = 6;\n#endif\n");
        EXPECT_TRUE(Parsed("f.hpcpp", text).isIdentical()) << text;
        const source::Text source("f.hpcpp", text);
        syntax::TokenStream stream = syntax::lex(source);
        syntax::markDeadBranches(stream);
        syntax::pairBrackets(stream);
        for (const syntax::Token& token : stream.tokens)
            EXPECT_TRUE(token.end > token.begin || token.match >= 0 || token.raw == syntax::T::END)
                << text;
    }
}

// What is nested 10,000 levels deep, and whether HPspmd is involved.
struct Nest {
    std::string text;
    bool isOurs;
};

TEST(Robustness, DeepNestingIsOneErrorOrOpaque) {
    const int deep = 10000;
    const std::vector<Nest> nests = {
        {"int x = " + repeated("(", deep) + "1" + repeated(")", deep) + ";", false},
        {inFunction("a[" + repeated("(", deep) + "i" + repeated(")", deep) + "] = 0;"), true},
        {inFunction(repeated("{", deep) + "a[i] = 0;" + repeated("}", deep)), true},
        {inFunction(repeated("overall (i = x for :) ", deep) + "a[i] = 0;"), true},
        {inFunction("a[i] = " + repeated("x + ", deep) + "0;"), true},
        {inFunction("a[i] = " + repeated("-", deep) + "0;"), true},
        {"void f() { " + repeated("if (x) ", deep) + "; }", false},
        {"void f() { " + repeated("if (x) y(); else ", deep) + "; }", false},
        {"int x = " + repeated("v<", deep) + "3" + repeated(">", deep) + "();", false},
        {"auto x = " + repeated("[] { return ", deep) + "1" + repeated("; }()", deep) + ";", false},
        {"int " + repeated("(*", deep) + "x" + repeated(")(int)", deep) + ";", false},
        {repeated("namespace a {", deep) + repeated("}", deep), false},
        {repeated("template <class T> ", deep) + "int x;", false},
        {repeated("#if X\n", deep) + "int x;\n" + repeated("#endif\n", deep), false},
    };
    for (const Nest& nest : nests) {
        const Parsed parsed("f.hpcpp", nest.text);
        EXPECT_EQ(parsed.engine.errorCount(), nest.isOurs ? 1 : 0)
            << nest.text.substr(0, 60) << "\n"
            << parsed.errors().substr(0, 300);
        EXPECT_TRUE(parsed.isIdentical()) << nest.text.substr(0, 60);
    }
}

TEST(Robustness, UnclosedAndSurplusBrackets) {
    for (const char* piece : {"(", "[", "{", "[[", ")", "]", "}", "]]", "`", "<", "/*", "\"", "'",
                              "R\"(", "#", "::", "on (", "overall (", "at ("})
        for (const std::string& text : {inFunction("a[i] = " + std::string(piece) + "1;"),
                                        repeated(piece, 3000) + " double [[-]] a;"}) {
            const Parsed parsed("f.hpcpp", text);
            EXPECT_TRUE(parsed.isIdentical()) << piece;
        }
}

// Whatever becomes opaque after an error, no text stands in two nodes: a pass that rewrites the
// surroundings would print it twice.
TEST(Robustness, DamageStandsInTheTreeOnce) {
    for (const char* text :
         {"operator", "int operator", "(int) ` 3; `",
          "[[hpspmd::local] void f(double [[-]] a); int g[[3]];", "void f() { x::operator",
          "template", "[[", "overall (i = x for", "void f() { for (;;) again: }",
          "void f() { public: }", "void f() { case 1: }",
          "int f() { try { n = 4; } a = 1; return n; }",
          "int f() { try { else { return; } T p = 0; } asm(\"\" : \"=r\"(n!)); }",
          "double g(int n) try { return 1; } norm(n; break; ); double f() try { n s u; } "
          "catch (...) { return 0; }",
          "void f() { if (x) } y = ; z; }",
          "void f() { overall (i = x */ ::: g(a); void h(F b); "
          "public: }"}) {
        const Parsed parsed("f.hpcpp", text);
        EXPECT_TRUE(parsed.isIdentical()) << text;
        EXPECT_TRUE(isNested(parsed.unit.root)) << text;
    }
}

TEST(Robustness, LineEndsTabsAndByteOrderMark) {
    for (const std::string& name : corpusNames("pos")) {
        std::string text = contentOf(corpusPath("pos", name)), windows = "\xEF\xBB\xBF";
        for (const char c : text)
            windows += c == '\n' ? std::string("\r\n") : c == ' ' ? "\t" : std::string(1, c);
        const Parsed plain("f.hpcpp", text), changed("f.hpcpp", windows);
        EXPECT_FALSE(changed.engine.hasErrors()) << changed.errors();
        EXPECT_TRUE(changed.isIdentical());
        EXPECT_EQ(changed.opaqueCount(), plain.opaqueCount());
    }
}

// One token deleted, doubled or replaced: still no crash, and few messages, most of them near the
// damage.
TEST(Robustness, TokenMutations) {
    std::mt19937 random(3);
    const char* words[] = {"(", ")", "[[", "]]", "`",  "for", "overall", "{",
                           "}", ";", ":",  "<",  "on", "new", "=",       ","};
    int damaged = 0, close = 0, messages = 0;
    for (const char* folder : {"pos", "adv"})
        for (const std::string& name : corpusNames(folder)) {
            const std::string text = contentOf(corpusPath(folder, name));
            const Parsed whole("f.hpcpp", text);
            for (int round = 0; round < 40; ++round) {
                const std::size_t at = text.find_first_not_of(" \n", random() % text.size());
                if (at == std::string::npos) continue;
                const std::size_t end =
                    std::min(text.find_first_of(" \n;()[]{},", at + 1), text.size());
                std::string other = round % 3 == 0 ? "" : words[random() % std::size(words)];
                if (round % 3 == 1) other = text.substr(at, end - at) + " " + other;
                const Parsed parsed("f.hpcpp", text.substr(0, at) + other + text.substr(end));
                EXPECT_TRUE(parsed.isIdentical()) << name << " at " << at << " with " << other;
                EXPECT_TRUE(isNested(parsed.unit.root))
                    << name << " at " << at << " with " << other;
                if (!parsed.engine.hasErrors()) continue;
                ++damaged;
                messages += parsed.engine.errorCount();
                const auto line =
                    static_cast<int>(whole.text.position(static_cast<uint32_t>(at)).line);
                for (const diagnostics::Diagnostic& d : parsed.engine.all()) {
                    const int distance = static_cast<int>(d.span.position().line) - line;
                    if (distance < -1 || distance > 1) continue;
                    ++close;
                    break;
                }
            }
        }
    EXPECT_GT(damaged, 100);
    EXPECT_GT(close, damaged * 9 / 10) << close << " of " << damaged;
    EXPECT_LT(messages, damaged * 13 / 10) << messages << " messages for " << damaged << " damages";
    RecordProperty("damaged", damaged);
    RecordProperty("close", close);
}

TEST(Robustness, FiftyThousandLines) {
    const std::string unit = contentOf(corpusPath("pos", "jacobi")) +
                             contentOf(corpusPath("pos", "lu")) +
                             contentOf(corpusPath("pos", "redblack"));
    const auto lines = static_cast<int>(std::count(unit.begin(), unit.end(), '\n'));
    const std::string text = repeated(unit, 50000 / lines + 1);
    const std::clock_t begin = std::clock();
    const Parsed parsed("f.hpcpp", text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_FALSE(parsed.engine.hasErrors());
    const double rate = parsed.text.lineCount() / seconds;
    std::printf("%.0f lines per second\n", rate);
    EXPECT_GT(rate, 40000);  // a tenth of what is usual: even a debug build reaches it
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
