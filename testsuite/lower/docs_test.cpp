// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/translation.md tells the truth: each code block under a comment `<!-- lowered of overall
// -->` stands, apart from its indentation, in that part of that golden case.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

struct Quote {
    std::string part;  // source, pretranslated or lowered
    std::string name;  // of the golden case
    std::vector<std::string> lines;
};

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<Quote> quotes() {
    std::stringstream page;
    page << std::ifstream(HPCPP_TRANSLATION_PAGE).rdbuf();
    std::vector<Quote> result;
    bool inside = false;
    for (const std::string& line : linesOf(page.str())) {
        std::smatch match;
        if (std::regex_match(line, match, std::regex("<!-- (\\w+) of (\\w+) -->")))
            result.push_back({match[1], match[2], {}});
        else if (line.starts_with("```"))
            inside = !inside && !result.empty() && result.back().lines.empty();
        else if (inside)
            result.back().lines.push_back(line);
    }
    return result;
}

/// True if `line` is `wanted` behind `indent`.
bool matches(const std::string& line, const std::string& indent, const std::string& wanted) {
    return wanted.empty() ? line.find_first_not_of(' ') == std::string::npos
                          : line == indent + wanted;
}

bool standsAt(const std::vector<std::string>& text, size_t start, const Quote& quote) {
    const size_t column = text[start].find(quote.lines.front());
    if (column == std::string::npos || start + quote.lines.size() > text.size()) return false;
    const std::string indent(column, ' ');
    for (size_t k = 0; k < quote.lines.size(); ++k)
        if (!matches(text[start + k], indent, quote.lines[k])) return false;
    return true;
}

TEST(Docs, everyQuoteOfTheTranslationPageIsTrue) {
    const std::vector<Quote> all = quotes();
    EXPECT_GE(all.size(), 20U);
    for (const Quote& quote : all) {
        ASSERT_FALSE(quote.lines.empty()) << quote.name;
        const GoldenCase golden = readGolden(quote.name);
        const auto text = linesOf(quote.part == "source"          ? golden.source
                                  : quote.part == "pretranslated" ? golden.pretranslated
                                                                  : golden.lowered);
        bool found = false;
        for (size_t start = 0; start < text.size() && !found; ++start)
            found = standsAt(text, start, quote);
        EXPECT_TRUE(found) << quote.part << " of " << quote.name << ": " << quote.lines.front();
    }
}

}  // namespace
}  // namespace hpcc::testing
