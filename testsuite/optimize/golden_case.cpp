#include "golden_case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "check/check.hpp"
#include "diagnostics/render.hpp"
#include "emit/emit.hpp"
#include "lower/lower.hpp"
#include "optimize/passes.hpp"
#include "pretranslate/pretranslate.hpp"
#include "syntax/parse.hpp"

namespace hpcc::testing {
namespace {

const std::filesystem::path folder = HPCPP_GOLDEN_FOLDER;

std::filesystem::path fileOf(const std::string& name) { return folder / (name + ".golden"); }

/// The text between the line "==== <title>" and the next such line.
std::string section(const std::string& text, const std::string& title) {
    const std::string head = "==== " + title + "\n";
    const size_t begin = text.find(head);
    if (begin == std::string::npos) return "";
    const size_t first = begin + head.size();
    const size_t end = text.find("\n==== ", first);
    return end == std::string::npos ? text.substr(first) : text.substr(first, end - first + 1);
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
    return {name,
            section(text.str(), "source"),
            {"", section(text.str(), "-O1"), section(text.str(), "-O2")}};
}

void writeGolden(const GoldenCase& golden) {
    std::ofstream(fileOf(golden.name)) << "==== source\n"
                                       << golden.source << "==== -O1\n"
                                       << golden.level[1] << "==== -O2\n"
                                       << golden.level[2];
}

Optimized optimized(const std::string& name, const std::string& source, int level,
                    const std::function<void(const ast::Unit&)>& inspect) {
    const source::Text text(name + ".hpcpp", source);
    diagnostics::Engine engine;
    Optimized result;
    ast::Unit unit = syntax::parse(text, engine, {});
    if (!engine.hasErrors()) check::check(unit, engine);
    if (engine.hasErrors()) {
        result.errors = diagnostics::render(engine);
        return result;
    }
    ast::Quoter quote(syntax::parseSchema);
    unit = pretranslate::pretranslate(std::move(unit), quote);
    unit = lower::lower(std::move(unit), quote, {.checks = true});
    for (const ast::Pass& pass : optimize::passes())
        if (pass.level <= level) unit = ast::runPass(pass, std::move(unit), quote);
    if (!lower::isLowered(unit)) result.errors += "not lowered any more\n";
    inspect(unit);
    result.text = emit::emit(unit, {.lineDirectives = false});
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    return result;
}

}  // namespace hpcc::testing
