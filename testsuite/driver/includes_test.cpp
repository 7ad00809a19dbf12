// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/includes.hpp"

#include <gtest/gtest.h>

namespace hpcc::driver {
namespace {

std::vector<std::string> namesIn(const std::string& content) {
    const source::Text text("t.hpcpp", content);
    std::vector<std::string> names;
    for (const Include& include : findIncludes(text)) names.push_back(include.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(Includes, OnlyExtendedHeaders) {
    EXPECT_EQ(namesIn("#include \"a.hph\"\n  #  include <b/c.hph> // x\n#include <vector>\n"),
              (Names{"a.hph", "b/c.hph"}));
}

TEST(Includes, NotInCommentsAndStrings) {
    EXPECT_EQ(
        namesIn("/*\n#include \"a.hph\"\n*/\n// \\\n//\nauto s = R\"x(\n#include \"b.hph\"\n)x\";\n"
                "auto t = \"\\\"\"; int i;\n#include \"c.hph\"\n"),
        (Names{"c.hph"}));
}

TEST(Includes, UnterminatedTextsEnd) {
    EXPECT_EQ(namesIn("/* #include \"a.hph\""), Names{});
    EXPECT_EQ(namesIn("R\"x( "), Names{});
    EXPECT_EQ(namesIn("R\""), Names{});
    EXPECT_EQ(namesIn("\"abc\n#include \"a.hph\"\n"), (Names{"a.hph"}));
    EXPECT_EQ(namesIn("#include \"a.hph"), Names{});
}

TEST(Includes, PlaceAndCondition) {
    const source::Text text("t.hpcpp", "#ifdef X\n#include \"a.hph\"\n#endif\n#include <b.hph>\n");
    const std::vector<Include> includes = findIncludes(text);
    ASSERT_EQ(includes.size(), 2U);
    EXPECT_TRUE(includes[0].isConditional);
    EXPECT_TRUE(includes[0].isQuoted);
    EXPECT_FALSE(includes[1].isConditional);
    EXPECT_FALSE(includes[1].isQuoted);
    EXPECT_EQ(includes[0].span.str(), "\"a.hph\"");
    EXPECT_EQ(includes[1].span.position().line, 4U);
}

TEST(Includes, Renamed) {
    const source::Text text(
        "t.hpcpp", "#include <a.hph>\n#include \"b.hpp\"\nint x;\n#include \"c.hph\" // c\n");
    const auto rename = [](const Include& include) -> std::optional<std::string> {
        if (include.name == "a.hph") return std::nullopt;
        return "\"/new/" + include.name + "\"";
    };
    EXPECT_EQ(renameIncludes(text, findIncludes(text), rename),
              "#include <a.hph>\n#include \"b.hpp\"\nint x;\n#include \"/new/c.hph\" // c\n");
    EXPECT_EQ(renameIncludes(text, findPlainIncludes(text), rename),
              "#include <a.hph>\n#include \"/new/b.hpp\"\nint x;\n#include \"c.hph\" // c\n");
}

}  // namespace
}  // namespace hpcc::driver
