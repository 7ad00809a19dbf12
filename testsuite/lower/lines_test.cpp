// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every token of the user stands on an output line that maps to its own line of the .hpcpp file.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "golden/compile.hpp"
#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

/// Calls visit(line, number) for each line of `text` with the number a compiler gives it.
template <class Visit>
void forEachLine(const std::string& text, Visit visit) {
    std::istringstream lines(text);
    int number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        std::smatch directive;
        if (std::regex_search(line, directive, std::regex("^#line (\\d+)")))
            number = std::stoi(directive[1]) - 1;
        else
            visit(line, number);
    }
}

// A number written as line(7) stands on line 7, whatever surrounds it.
const char* const numbered = R"(// 1
#include <hpspmd>
using namespace hpspmd;
int line(int);  // 4
void f(double [[-,*]] a, double [[-]] b, Range y, int n) {
    Range x = a.rng(0);
    double [[-]] c = b, d = a[[:,
                               line(8)]];
    overall (i = x for line(9)
                     : line(10)) {
        a[i,
          line(12)] = line(12) + b[i - line(12)] +
                      line(13);  /* a comment
        of two lines */ line(14); line(14);
        at (j = y[line(15)]) { line(15); }
        if (line(16)) b[i] = line(16);
        else line(17);
        auto s = R"raw(
            raw [[-]] )raw"; line(19);
    } line(20);
    on (a.grp()) on (apg()) line(21);
    overall (i = a.rng(0) for :, j = y[[line(22)
        : line(23)]] for :) line(23);
    line(24 +
         0); line(25);
    n = Adlib::sum(overall (i = x for : line(26)) b[i] *
                   line(27)) + line(27);
}
)";

TEST(Lines, everyTokenOfTheUserKeepsItsLine) {
    const Translation translation = translate("numbered.hpcpp", numbered);
    ASSERT_EQ(translation.errors, "");
    const std::regex marker("line\\((\\d+)");
    const std::string source = numbered;
    const auto written = std::distance(std::sregex_iterator(source.begin(), source.end(), marker),
                                       std::sregex_iterator());
    long found = 0;
    forEachLine(translation.emitted, [&](const std::string& line, int number) {
        for (std::sregex_iterator m(line.begin(), line.end(), marker), end; m != end; ++m) {
            EXPECT_EQ(std::stoi((*m)[1]), number) << line;
            ++found;
        }
    });
    EXPECT_EQ(found, written) << translation.emitted;
}

TEST(Lines, theFirstLineNamesTheFile) {
    const std::string source = "void f(double [[-]] a);\n";
    const Translation translation = translate("dir/a \"b\".hpcpp", source);
    EXPECT_EQ(translation.emitted.substr(0, translation.emitted.find('\n')),
              "#line 1 \"dir/a \\\"b\\\".hpcpp\"");
}

TEST(Lines, aFileWithoutExtensionsIsCopied) {
    const std::string source = "int main()\r\n{\n\treturn 0 ;  \n}";
    const Translation translation = translate("plain.hpcpp", source);
    EXPECT_EQ(translation.emitted, source);
    EXPECT_EQ(translation.lowered, source);
}

// A mistake in foreign C++ is found by the C++ compiler, on the user's line.
TEST(Lines, theCompilerPointsAtTheUsersLine) {
    const std::string source =
        "#include <hpspmd>\n"
        "using namespace hpspmd;\n"
        "struct S {};\n"
        "void f(double [[-]] a, S s) {\n"
        "    overall (i = a.rng(0) for :)\n"
        "        a[i] = 1.0 +\n"
        "               s;\n"
        "}\n";
    const Translation translation = translate("wrong.hpcpp", source);
    const auto compiled = compilesAlone(HPCPP_COMPILER, translation.emitted);
    EXPECT_FALSE(compiled) << translation.emitted;
    EXPECT_TRUE(std::regex_search(compiled.message(), std::regex("wrong\\.hpcpp:[67]:\\d+: error")))
        << compiled.message();
}

}  // namespace
}  // namespace hpcc::testing
