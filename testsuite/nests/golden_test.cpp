// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every case of cases/: what the passes on nests make of the program, still before lowering, as
// written there, with threads if it says "-fopenmp" under "options", for devices if "--device"; and
// the lowered text compiles without a warning. `nests_golden_test --regenerate` writes the files
// anew; read the difference.
#include <gtest/gtest.h>

#include "emit/emit.hpp"
#include "golden/compile.hpp"
#include "golden/folder.hpp"
#include "golden/main.hpp"
#include "golden/pretranslated.hpp"
#include "lower/lower.hpp"
#include "lower/stamp_nests.hpp"
#include "nests/passes.hpp"
#include "nests/plan.hpp"

namespace hpcc::testing {
namespace {

const GoldenFolder folder(HPCPP_GOLDEN_FOLDER);
const std::string options = "options", source = "source", result = "after the passes";

struct Translation {
    std::string afterPasses, emitted, errors;
};

Translation translate(const std::string& name, const Sections& golden) {
    Pretranslated program(name + ".hpcpp", textOf(golden, source));
    Translation translation;
    translation.errors = program.errors();
    if (!translation.errors.empty()) return translation;
    ast::Unit& unit = program.unit;
    unit.threads = textOf(golden, options) == "-fopenmp\n";
    nests::Plans::of(unit).wantsDevices = textOf(golden, options) == "--device\n";
    for (const ast::Pass& pass : nests::normalizations())
        unit = ast::runPass(pass, std::move(unit), program.quote);
    unit = lower::stampNests(std::move(unit), program.quote);
    for (const ast::Pass& pass : nests::passes())
        unit = ast::runPass(pass, std::move(unit), program.quote);
    translation.afterPasses = emit::emit(unit, {.lineDirectives = false});
    unit = lower::lower(std::move(unit), program.quote);
    if (!lower::isLowered(unit)) translation.errors += "not lowered\n";
    translation.emitted = emit::emit(unit, {.lineDirectives = true});
    return translation;
}

class Nests : public ::testing::TestWithParam<std::string> {};

TEST_P(Nests, becomeAsWritten) {
    const Sections golden = folder.read(GetParam());
    const Translation translation = translate(GetParam(), golden);
    EXPECT_EQ(translation.errors, "");
    EXPECT_EQ(translation.afterPasses, textOf(golden, result));
}

TEST_P(Nests, compileWithoutWarnings) {
    const Translation translation = translate(GetParam(), folder.read(GetParam()));
    EXPECT_TRUE(compilesAlone(HPCPP_COMPILER, translation.emitted)) << translation.emitted;
}

INSTANTIATE_TEST_SUITE_P(Cases, Nests, ::testing::ValuesIn(folder.names()),
                         [](const auto& info) { return info.param; });

std::string regenerate(const std::string& name) {
    const Sections golden = folder.read(name);
    const Translation translation = translate(name, golden);
    if (!translation.errors.empty()) return translation.errors;
    Sections sections{{source, textOf(golden, source)}, {result, translation.afterPasses}};
    if (has(golden, options)) sections.insert(sections.begin(), {options, textOf(golden, options)});
    folder.write(name, sections);
    return "";
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    using namespace hpcc::testing;
    return goldenMain(argc, argv, folder.names(), regenerate);
}
