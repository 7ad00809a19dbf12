// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "diagnostics/json.hpp"
#include "diagnostics/pages.hpp"
#include "diagnostics/render.hpp"

namespace hpcc::diagnostics {
namespace {

using source::Span;
using source::Text;

TEST(Diagnostics, CodesAreUnique) {
    std::set<int> codes;
    for (int i = 0; i < definitionCount(); ++i)
        EXPECT_TRUE(codes.insert(definition(static_cast<Id>(i)).code).second)
            << definition(static_cast<Id>(i)).name;
}

TEST(Render, ShowsPlaceLineAndCaret) {
    const Text text("f.hpcpp", "int a;\n  a[i = 3;\n");
    Engine engine;
    engine.report(Id::UnexpectedTokenExpected, Span{&text, 15, 16}, "';'", "']'");
    EXPECT_EQ(render(engine),
              "f.hpcpp:2:9: error: unexpected ';', expected ']' [HP1021]\n"
              "      a[i = 3;\n"
              "            ^\n"
              "1 error generated.\n");
}

TEST(Render, ExpandsTabsAndCountsCharacters) {
    const Text text("f.hpcpp", "\tx = \"\xc3\xa4\" + y;");
    Engine engine;
    engine.report(Id::UnexpectedToken, Span{&text, 12, 13}, "'y'");
    EXPECT_EQ(render(engine.all().front()),
              "f.hpcpp:1:13: error: unexpected 'y' [HP1020]\n"
              "            x = \"\xc3\xa4\" + y;\n"
              "                      ^\n");
}

TEST(Render, CutsLongLinesRoundTheCaret) {
    const Text text("f.hpcpp", std::string(1000, 'x') + "!" + std::string(1000, 'y'));
    Engine engine;
    engine.report(Id::UnexpectedToken, Span{&text, 1000, 1001}, "'!'");
    const std::string shown = render(engine.all().front());
    const std::size_t line = shown.find('\n') + 1;
    const std::size_t caretLine = shown.find('\n', line) + 1;
    EXPECT_LE(caretLine - line, 206u);
    EXPECT_EQ(shown[line + shown.find('^', caretLine) - caretLine], '!');
}

TEST(Render, StopsAtTheErrorLimit) {
    const Text text("f.hpcpp", "x");
    Engine engine;
    for (int i = 0; i < 30; ++i) engine.report(Id::UnexpectedToken, Span{&text, 0, 1}, "'x'");
    const std::string shown = render(engine, {.errorLimit = 20});
    EXPECT_NE(shown.find("too many errors"), std::string::npos);
    EXPECT_EQ(engine.errorCount(), 30);
}

TEST(Render, NotesFixitsAndHelpFollow) {
    const Text text("f.hpcpp", "a\nb");
    Engine engine;
    engine.report(Id::MissingToken, Span{&text, 1, 1}, "';'", "'a'")
        .note({&text, 2, 3}, "before this")
        .fixit({&text, 1, 1}, ";")
        .help("end the statement");
    EXPECT_EQ(render(engine.all().front()),
              "f.hpcpp:1:2: error: expected ';' after 'a' [HP1022]\n"
              "    a\n"
              "     ^\n"
              "     ;\n"
              "f.hpcpp:2:1: note: before this\n"
              "    b\n"
              "    ^\n"
              "    help: end the statement\n");
}

TEST(Engine, WarningsCanBeErrors) {
    const Text text("f.hpcpp", "x");
    Levels levels;
    levels.setWarningsAreErrors(true);
    Engine engine;
    engine.setLevels(levels);
    engine.report(Id::ExtensionInMacro, Span{&text, 0, 1}, "'`'", "M");
    EXPECT_EQ(engine.errorCount(), 1);
}

TEST(Codes, AreFoundByNameAndByNearness) {
    EXPECT_EQ(findCode("HP2201"), Id::IntegerInDistributedSlot);
    EXPECT_EQ(findCode("HP2299"), std::nullopt);
    EXPECT_EQ(nearCodes(2600, 2), (std::vector{Id::MissingReturn, Id::UnassignedHandle}));
}

TEST(Pages, AreShownWithoutMarks) {
    const std::string shown = pageText(
        "# HP1: a `x`\n\nWrite `` i` `` or `[link](a)`,\nas one.\n\n* one\n  two\n* three\n\n"
        "## Wrong\n\n```cpp part.hph\n# `x`\n\ny\n```\n");
    EXPECT_EQ(shown,
              "HP1: a 'x'\n\nWrite 'i`' or '[link](a)', as one.\n\n* one two\n* three\n\n"
              "Wrong:\n\npart.hph:\n    # `x`\n\n    y\n");
}

TEST(Pages, AreFilled) {
    const std::string longWord(60, 'x');
    EXPECT_EQ(pageText("* " + longWord + " " + longWord + "\n"),
              "* " + longWord + "\n  " + longWord + "\n");
}

TEST(Engine, SortsByPlace) {
    const Text text("f.hpcpp", "xyz");
    Engine engine;
    engine.report(Id::UnexpectedToken, Span{&text, 2, 3}, "'z'");
    engine.report(Id::UnexpectedToken, Span{&text, 0, 1}, "'x'");
    engine.sort();
    EXPECT_EQ(engine.all().front().span.begin, 0u);
}

TEST(Json, HoldsAllPartsOfADiagnostic) {
    const Text text("a b.hpcpp", "\xc3\xa4 = y;\n");
    Engine engine;
    engine.report(Id::UnexpectedToken, Span{&text, 5, 6}, "'y'")
        .note(Span{&text, 0, 2}, "here")
        .note({}, "nowhere")
        .fixit(Span{&text, 5, 6}, "z")
        .help("write z");
    const auto json = toJson(engine.all().front());
    EXPECT_EQ(json["code"], "HP1020");
    EXPECT_EQ(json["severity"], "error");
    EXPECT_EQ(json["message"], "unexpected 'y'");
    EXPECT_EQ(json["file"], "a b.hpcpp");
    EXPECT_EQ(json["range"]["begin"]["column"], 6);
    EXPECT_EQ(json["range"]["end"]["column"], 7);
    EXPECT_EQ(json["notes"][0]["range"]["begin"]["line"], 1);
    EXPECT_FALSE(json["notes"][1].contains("range"));
    EXPECT_EQ(json["fixits"][0]["replacement"], "z");
    EXPECT_EQ(json["helps"][0], "write z");
}

TEST(Json, SarifCountsCharactersAndEncodesPaths) {
    const Text text("a b.hpcpp", "\xc3\xa4 = y;\n");
    Engine engine;
    engine.report(Id::UnexpectedToken, Span{&text, 5, 6}, "'y'").fixit(Span{&text, 5, 6}, "z");
    engine.report(Id::MissingHeader, {}, "x.hph").note({}, "not found");
    const auto log = sarifLog({toSarif(engine.all()[0]), toSarif(engine.all()[1])}, "1.0");
    const auto& results = log["runs"][0]["results"];
    const auto& place = results[0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b.hpcpp");
    EXPECT_EQ(place["region"]["startColumn"], 5);
    EXPECT_EQ(
        results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
        "z");
    EXPECT_FALSE(results[1].contains("locations"));
    EXPECT_EQ(results[1]["relatedLocations"][0]["message"]["text"], "not found");
}

}  // namespace
}  // namespace hpcc::diagnostics
