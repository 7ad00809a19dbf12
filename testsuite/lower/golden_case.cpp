#include "golden_case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "ast/pass.hpp"
#include "check/check.hpp"
#include "diagnostics/render.hpp"
#include "emit/emit.hpp"
#include "lower/lower.hpp"
#include "pretranslate/pretranslate.hpp"
#include "syntax/parse.hpp"

namespace hpcc::testing {
namespace {

const std::string asTheSource = ": as the source";
const std::filesystem::path folder = HPCPP_GOLDEN_FOLDER;

std::filesystem::path fileOf(const std::string& name) { return folder / (name + ".golden"); }

/// The text between the line "==== <title>.." and the next such line.
std::string section(const std::string& text, const std::string& title) {
    const std::string head = "==== " + title;
    const size_t begin = text.find(head);
    if (begin == std::string::npos) return "";
    const size_t line = text.find('\n', begin);
    if (text.substr(begin, line - begin) == head + asTheSource) return section(text, "source");
    const size_t end = text.find("\n==== ", line);
    return end == std::string::npos ? text.substr(line + 1) : text.substr(line + 1, end - line);
}

}  // namespace

std::vector<std::string> goldenNames() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".golden") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

GoldenCase readGolden(const std::string& name) {
    std::ifstream file(fileOf(name));
    if (!file) throw std::runtime_error("no golden case " + name);
    std::ostringstream text;
    text << file.rdbuf();
    return {name, section(text.str(), "source"), section(text.str(), "pretranslated"),
            section(text.str(), "lowered")};
}

void writeGolden(const GoldenCase& golden) {
    std::ofstream file(fileOf(golden.name));
    file << "==== source\n" << golden.source << "==== pretranslated";
    if (golden.pretranslated == golden.source)
        file << asTheSource << '\n';
    else
        file << '\n' << golden.pretranslated;
    file << "==== lowered\n" << golden.lowered;
}

Translation translate(const std::string& path, const std::string& source, bool checks) {
    const source::Text text(path, source);
    diagnostics::Engine engine;
    Translation result;
    ast::Unit unit = syntax::parse(text, engine, {});
    if (!engine.hasErrors()) check::check(unit, engine);
    if (engine.hasErrors()) {
        result.errors = diagnostics::render(engine);
        return result;
    }
    ast::Quoter quote(syntax::parseSchema);
    unit = pretranslate::pretranslate(std::move(unit), quote);
    result.pretranslated = emit::emit(unit, {.lineDirectives = false});
    if (!pretranslate::isPretranslated(unit)) result.errors += "not pre-translated\n";
    if (ast::findSharedNode(unit.root)) result.errors += "pre-translation uses a node twice\n";
    unit = lower::lower(std::move(unit), quote, {.checks = checks});
    result.lowered = emit::emit(unit, {.lineDirectives = false});
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    if (!lower::isLowered(unit)) result.errors += "not lowered\n";
    if (ast::findSharedNode(unit.root)) result.errors += "lowering uses a node twice\n";
    return result;
}

}  // namespace hpcc::testing
