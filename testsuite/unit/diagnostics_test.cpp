// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "diagnostics/as_written.hpp"
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

/// What is told of `piece` of a text that was written from another, which is on the same line.
Diagnostic toldOf(const Text& made, std::string_view piece) {
    const auto begin = static_cast<uint32_t>(made.content().rfind(piece));
    const Span span{&made, begin, begin + static_cast<uint32_t>(piece.size())};
    const std::string text = quoted(piece);
    return asWritten({Id::DependentIterations,
                      Severity::Error,
                      span,
                      text,
                      {{span, text + " is changed here"}},
                      {{span, "b_part"}},
                      {text},
                      {}});
}

TEST(AsWritten, NamesAndPlacesAreTheUsers) {
    const struct {
        const char *user, *made, *piece, *found;
    } cases[] = {
        {"  for (int i = 1; i < n; ++i) a[i] += a[i - 1];",
         "  { const Loop l(divided<0>(a)); overall (i = l for 1 : n - 1) a_part[i] += a_part[i - "
         "1]; }",
         "a_part[i - 1]", "a[i - 1]"},
        {"for (int i = 0; i < 9; ++i) p->a[i] = p->b[i + 1];",
         "overall (i = l for 0 : 9 - 1) p_a_part[i] = p_b_part[i + 1]; written(l, p_a_part);",
         "p_b_part[i + 1]", "p->b[i + 1]"},
        {"cells[k + 1].a[i] = 0;", "cells_k_1_a_part_2[i] = 0;", "cells_k_1_a_part_2[i]",
         "cells[k + 1].a[i]"},
        {"\tx[i] += 1;", "{ }", "{", "x[i] += 1;"},  // nothing of it is the user's: the line
        {"x[i] += 1;", "x[i] += 1;", "x[i]", "x[i]"},
    };
    for (const auto& each : cases) {
        const Text user("f.hpcpp", std::string("int n;\n") + each.user + "\n");
        const Text made("f.hpcpp", std::string("other n;\n") + each.made + "\n", &user);
        const Diagnostic told = toldOf(made, each.piece);
        EXPECT_EQ(told.span.text, &user);
        EXPECT_EQ(told.span.str(), each.found) << each.made;
        EXPECT_EQ(told.notes.front().span, told.span);
        const bool isNamed = std::string_view(each.piece) != "{";
        EXPECT_EQ(told.text, quoted(isNamed ? each.found : each.piece));
        EXPECT_EQ(told.notes.front().text, told.text + " is changed here");
        EXPECT_EQ(told.helps.front(), told.text);
        EXPECT_EQ(told.fixits.size(), isNamed ? 1u : 0u);
    }
}

TEST(AsWritten, LinesThatStandSeveralTimesAreTheUsers) {
    const Text user("f.hpcpp", "first;\nsum += a[v + 1];\nlast;\n");
    const Text made("f.hpcpp", "first;\nsum += a[i + 1, j];\n//# line 2\nsum += a[i, j + 1];\n",
                    &user);
    EXPECT_EQ(toldOf(made, "a[i, j + 1]").span.str(), "a[v + 1]");
}

TEST(AsWritten, TheUsersOwnTextStays) {
    const Text text("f.hpcpp", "a_part[i] = 0;\n");
    const Diagnostic told = toldOf(text, "a_part[i]");
    EXPECT_EQ(told.span.text, &text);
    EXPECT_EQ(told.text, "'a_part[i]'");
    EXPECT_EQ(told.fixits.size(), 1u);
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
