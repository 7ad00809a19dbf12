// Every case of cases/: what the passes on nests make of the program, still before lowering, as
// written there; and the lowered text compiles without a warning. `nests_golden_test --regenerate`
// writes the files anew; read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "check/check.hpp"
#include "diagnostics/render.hpp"
#include "emit/emit.hpp"
#include "lower/lower.hpp"
#include "nests/passes.hpp"
#include "pretranslate/pretranslate.hpp"
#include "syntax/parse.hpp"

namespace hpcc::testing {
namespace {

const std::filesystem::path folder = HPCPP_GOLDEN_FOLDER;
const std::string sourceHead = "==== source\n", resultHead = "==== after the passes\n";

struct Case {
    std::string source, result;
};

std::filesystem::path fileOf(const std::string& name) { return folder / (name + ".golden"); }

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        result.push_back(entry.path().stem().string());
    std::sort(result.begin(), result.end());
    return result;
}

Case read(const std::string& name) {
    std::ostringstream stream;
    stream << std::ifstream(fileOf(name)).rdbuf();
    const std::string text = stream.str();
    const size_t source = text.find(sourceHead), result = text.find(resultHead);
    if (source != 0) return {};
    const size_t begin = sourceHead.size();
    if (result == std::string::npos) return {text.substr(begin), ""};
    return {text.substr(begin, result - begin), text.substr(result + resultHead.size())};
}

struct Translation {
    std::string afterPasses, emitted, errors;
};

Translation translate(const std::string& name, const std::string& source) {
    const source::Text text(name + ".hpcpp", source);
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
    for (const ast::Pass& pass : nests::passes()) unit = ast::runPass(pass, std::move(unit), quote);
    result.afterPasses = emit::emit(unit, {.lineDirectives = false});
    unit = lower::lower(std::move(unit), quote);
    if (!lower::isLowered(unit)) result.errors += "not lowered\n";
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    return result;
}

class Nests : public ::testing::TestWithParam<std::string> {};

TEST_P(Nests, becomeAsWritten) {
    const Case golden = read(GetParam());
    const Translation translation = translate(GetParam(), golden.source);
    EXPECT_EQ(translation.errors, "");
    EXPECT_EQ(translation.afterPasses, golden.result);
}

TEST_P(Nests, compileWithoutWarnings) {
    const Translation translation = translate(GetParam(), read(GetParam()).source);
    const auto file = std::filesystem::temp_directory_path() /
                      ("hpcpp_nests_" + std::to_string(::getpid()) + "_" + GetParam() + ".cpp");
    std::ofstream(file) << translation.emitted;
    const std::string command = std::string(HPCPP_COMPILE) + " " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << translation.emitted;
    std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Cases, Nests, ::testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

int regenerate() {
    for (const std::string& name : names()) {
        const Case golden = read(name);
        const Translation translation = translate(name, golden.source);
        if (!translation.errors.empty()) {
            std::cerr << name << ": " << translation.errors;
            return 1;
        }
        std::ofstream(fileOf(name))
            << sourceHead << golden.source << resultHead << translation.afterPasses;
    }
    return 0;
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--regenerate") return hpcc::testing::regenerate();
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
