// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_case.hpp"

#include "check/check.hpp"
#include "diagnostics/render.hpp"
#include "syntax/parse.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>

namespace hpcc::testing {
namespace {

const std::filesystem::path folder = HPCPP_CHECK_CASES;

// The lines "<opening> x <closing>" of a text, as the x.
std::vector<std::string> matches(std::string_view text, const std::string& pattern) {
    const std::regex regex(pattern);
    const std::string content(text);
    std::vector<std::string> found;
    for (std::sregex_iterator at(content.begin(), content.end(), regex), end; at != end; ++at)
        found.push_back((*at)[1]);
    return found;
}

}  // namespace

std::vector<std::string> caseNames() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".hpcpp") names.push_back(entry.path().stem());
    std::ranges::sort(names);
    return names;
}

CheckCase::CheckCase(const std::string& name) {
    parse((folder / (name + ".hpcpp")).string());
    if (!matches(unit().text->content(), "// options: (-Rhalo)").empty()) {
        diagnostics::Levels levels;
        levels.choose(diagnostics::Id::NeedlessHalo, diagnostics::Levels::Choice::Shown);
        engine_.setLevels(levels);
    }
    if (!engine_.hasErrors()) check::check(*units_.back(), engine_);
}

const ast::Unit* CheckCase::parse(const std::string& path) {
    auto text = source::readFile(path);
    if (!text) throw std::runtime_error("cannot read " + path);
    std::vector<const ast::Unit*> imports;
    for (const std::string& header : matches(text->content(), "#include \"(.*\\.hph)\""))
        imports.push_back(parse((folder / header).string()));
    units_.push_back(
        std::make_unique<ast::Unit>(syntax::parse(*text, engine_, std::move(imports))));
    texts_.push_back(std::move(text));
    return units_.back().get();
}

std::vector<std::string> CheckCase::expected() const {
    auto lines = matches(unit().text->content(), "// expect: (.*)");
    std::ranges::sort(lines);
    return lines;
}

std::vector<std::string> CheckCase::reported() const {
    std::vector<std::string> lines;
    for (const diagnostics::Diagnostic& each : engine_.all()) {
        const auto [line, column] = each.span.position();
        lines.push_back(diagnostics::codeName(each.id) + " at " + std::to_string(line) + ":" +
                        std::to_string(column));
    }
    std::ranges::sort(lines);
    return lines;
}

std::string CheckCase::rendered() const { return diagnostics::render(engine_); }

}  // namespace hpcc::testing
