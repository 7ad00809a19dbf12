// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Messages of the C++ compiler in terms of the source: what g++ and clang write, read and placed.
#include "driver/back_end_report.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "diagnostics/render.hpp"
#include "driver/compiler_messages.hpp"

namespace hpcc::driver {
namespace {

const char* gcc =
    "In file included from /i/adlib/adlib.hpp:9,\n"
    "                 from f.hpcpp:1:\n"
    "/i/adlib/remap.hpp: In instantiation of 'void remap(T)':\n"
    "/i/adlib/remap.hpp:9:25:   required from 'void g(T)'\n"
    "f.hpcpp:3:12:   required from here\n"
    "/i/adlib/remap.hpp:26:24: error: static assertion failed: elements are moved as bytes\n"
    "   26 |     static_assert(std::is_trivially_copyable_v<T>,\n"
    "      |                   ^\n"
    "/i/adlib/remap.hpp:26:24: note: 'x' evaluates to false\n"
    "f.hpcpp: In function 'int main()':\n"
    "f.hpcpp:4:9: warning: unused variable 'y' [-Wunused-variable]\n"
    "f.hpcpp:2:5: note: 'y' declared here\n"
    "Assembler messages: no place\n";

TEST(CompilerMessages, OfGcc) {
    const CompilerOutput output = parseMessages(gcc);
    ASSERT_EQ(output.messages.size(), 2u);
    const CompilerMessage& assertion = output.messages[0];
    EXPECT_EQ(assertion.kind, CompilerMessage::Kind::Error);
    EXPECT_EQ(assertion.place.line, 26u);
    ASSERT_EQ(assertion.requiredFrom.size(), 2u);
    EXPECT_EQ(assertion.requiredFrom[1].file, "f.hpcpp");
    EXPECT_EQ(assertion.notes.size(), 1u);
    const CompilerMessage& unused = output.messages[1];
    EXPECT_EQ(unused.kind, CompilerMessage::Kind::Warning);
    EXPECT_EQ(unused.text, "unused variable 'y' [-Wunused-variable]");
    EXPECT_EQ(unused.place.column, 9u);
    EXPECT_TRUE(unused.requiredFrom.empty());
    EXPECT_EQ(output.others, "Assembler messages: no place\n");
}

TEST(CompilerMessages, WithoutColumnAndWithColonsInThePath) {
    const CompilerOutput output = parseMessages("a:b.cpp:7: error: x: error: y");
    ASSERT_EQ(output.messages.size(), 1u);
    EXPECT_EQ(output.messages[0].place.file, "a:b.cpp");
    EXPECT_EQ(output.messages[0].place.line, 7u);
    EXPECT_EQ(output.messages[0].place.column, 0u);
    EXPECT_EQ(output.messages[0].text, "x: error: y");
}

TEST(CompilerMessages, NothingIsLostOfWhatIsNoMessage) {
    const char* timing = "Time variable    usr\n phase setup : 0.0\n";
    EXPECT_EQ(parseMessages(timing).others, timing);
    EXPECT_TRUE(parseMessages("").messages.empty());
    EXPECT_EQ(parseMessages("x.cpp:99999999999999999999: error: y\n").messages.size(), 0u);
}

TEST(SourceTerms, ArrayTypesAreWrittenAsInTheSource) {
    EXPECT_EQ(inSourceTerms("no 'hpspmd::Array<double, hpspmd::Dist, hpspmd::Seq>' here"),
              "no 'double [[-,*]]' here");
    EXPECT_EQ(inSourceTerms("hpspmd::Array<std::pair<int, hpspmd::Array<char> > >::x"),
              "std::pair<int, char [[]] > [[]]::x");
    EXPECT_EQ(inSourceTerms("hpspmd::Array<T, S ...>"), "hpspmd::Array<T, S ...>");
    EXPECT_EQ(inSourceTerms("hpspmd::Array<T"), "hpspmd::Array<T");
}

namespace fs = std::filesystem;

class Placed : public ::testing::Test {
protected:
    void SetUp() override {
        fs::create_directory(folder_);
        fs::current_path(folder_);
        std::ofstream("placed.hpcpp") << "one(a[i], unheardOf(a[i]));\n\ttwo(\xc3\xa4, b);\n";
    }

    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
    }

    static std::string found(const std::string& translated, uint32_t line, uint32_t column) {
        SourcePlaces places({translated});
        const source::Span span = places.find({"placed.hpcpp", line, column});
        return span.text ? std::to_string(span.position().column) + " " + std::string(span.str())
                         : "nowhere";
    }

private:
    const fs::path before_ = fs::current_path();
    const fs::path folder_ =
        fs::temp_directory_path() / ("hpcc-placed-" + std::to_string(::getpid()));
};

TEST_F(Placed, TheTokenOfTheTranslatedLineIsFoundInTheSource) {
    const std::string translated =
        "#line 1 \"placed.hpcpp\"\n"
        "one(a.data()[i.sub], unheardOf(a.data()[i.sub]));\n"
        "#line 1\n"
        "check(a);\n"
        "\ttwo(\xc3\xa4, b);\n";
    EXPECT_EQ(found(translated, 1, 22), "11 unheardOf");
    EXPECT_EQ(found(translated, 1, 5), "5 a");
    EXPECT_EQ(found(translated, 1, 32), "21 a");  // the second one
    EXPECT_EQ(found(translated, 2, 10), "10 b");
}

TEST_F(Placed, WhatTheSourceDoesNotSayIsItsLine) {
    const std::string translated = "#line 1 \"placed.hpcpp\"\nsomething(else);\n";
    EXPECT_EQ(found(translated, 1, 1), "1 one(a[i], unheardOf(a[i]));");
    EXPECT_EQ(found(translated, 1, 0), "1 one(a[i], unheardOf(a[i]));");
    EXPECT_EQ(found(translated, 1, 1000), "1 one(a[i], unheardOf(a[i]));");
    EXPECT_EQ(found(translated, 99, 1), "nowhere");
    EXPECT_EQ(found("", 1, 5), "5 a");  // a line that was not translated
}

TEST_F(Placed, AMessageOfAHeaderStandsWhereTheProgramAskedForIt) {
    diagnostics::Engine engine;
    std::string said = gcc;
    for (size_t at; (at = said.find("f.hpcpp:3:12")) != std::string::npos;)
        said.replace(at, 12, "placed.hpcpp:1:1");
    BackEndReport report({}, "/i", {});
    report.report(parseMessages(said).messages.at(0), engine);
    EXPECT_EQ(diagnostics::render(engine.all().front()),
              "placed.hpcpp:1:1: error: elements are moved as bytes [HP3101]\n"
              "    one(a[i], unheardOf(a[i]));\n"
              "    ^~~\n");
}

TEST_F(Placed, NotesAboutOtherHeadersAreFew) {
    std::string said = "placed.hpcpp:1:1: error: no match\n";
    for (int k = 1; k <= 9; ++k)
        said += "/usr/h.hpp:" + std::to_string(k) + ":1: note: candidate\n";
    said += "placed.hpcpp:1:1: note:   no known conversion\n";  // why the ninth does not fit
    said += "placed.hpcpp:2:2: note: candidate\n";
    diagnostics::Engine engine;
    BackEndReport report({"#line 1 \"placed.hpcpp\"\none();\ntwo();\n"}, "/i", {});
    report.report(parseMessages(said).messages.at(0), engine);
    const std::vector<diagnostics::Note>& notes = engine.all().front().notes;
    ASSERT_EQ(notes.size(), 5u);
    EXPECT_EQ(notes[3].text, "candidate");
    EXPECT_EQ(notes[3].span.str(), "two");
    EXPECT_EQ(notes[4].text, "6 more notes of the C++ compiler about other files are left out");
}

TEST_F(Placed, AMessageOfTheStandardLibraryStandsWhereTheProgramAskedForIt) {
    const std::string library = "/usr/include/c++/12/bits/stl_algo.h:1938:50:";
    std::string said = library.substr(0, 36) + " In instantiation of 'void std::sort()':\n" +
                       library + "   required from 'void std::sort()'\n" +
                       "placed.hpcpp:1:11:   required from here\n" + library +
                       " error: no match for 'operator-'\n";
    for (int k = 1; k <= 9; ++k)
        said += "/usr/include/c++/12/bits/stl_iterator.h:" + std::to_string(k) +
                ":5: note: candidate\n" + library + " note:   does not fit\n";
    diagnostics::Engine engine;
    BackEndReport report({"#line 1 \"placed.hpcpp\"\none(a[i], unheardOf(a[i]));\n"}, "/i", {});
    report.report(parseMessages(said).messages.at(0), engine);
    const diagnostics::Diagnostic& diagnostic = engine.all().front();
    EXPECT_EQ(diagnostic.text, "no match for 'operator-'");
    EXPECT_EQ(diagnostic.span.str(), "unheardOf");
    ASSERT_EQ(diagnostic.notes.size(), 2u);
    EXPECT_EQ(diagnostic.notes[0].text, "in what is made of it here");
    EXPECT_EQ(diagnostic.notes[1].text,
              "9 more notes of the C++ compiler about other files are left out");
}

TEST_F(Placed, ClangNamesThePlaceInANote) {
    diagnostics::Engine engine;
    const CompilerOutput output = parseMessages(
        "/i/adlib/remap.hpp:26:5: error: static_assert failed due to requirement 'x' \"bytes "
        "only\"\n"
        "    static_assert(x);\n"
        "placed.hpcpp:1:11: note: in instantiation of function 'g' requested here\n");
    BackEndReport report({}, "/i", {});
    report.report(output.messages.at(0), engine);
    const diagnostics::Diagnostic& diagnostic = engine.all().front();
    EXPECT_EQ(diagnostic.text, "bytes only");
    EXPECT_EQ(diagnostic.span.str(), "unheardOf");
    EXPECT_TRUE(diagnostic.notes.empty());
}

}  // namespace
}  // namespace hpcc::driver
