// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every program of plans/: what the passes on nests decide of it, as `hpcc --emit=nests` prints it,
// with threads if it says "-fopenmp" under "options". `nests_plans_test --regenerate` writes the
// files anew; read the difference.
#include <gtest/gtest.h>

#include "golden/folder.hpp"
#include "golden/main.hpp"
#include "golden/pretranslated.hpp"
#include "lower/stamp_nests.hpp"
#include "nests/passes.hpp"
#include "nests/plan.hpp"

namespace hpcc::testing {
namespace {

const GoldenFolder folder(HPCPP_GOLDEN_FOLDER);
const std::string options = "options", source = "source", plans = "plans";

/// Or what is wrong with the program.
std::string plansOf(const std::string& name, const Sections& golden) {
    Pretranslated program(name + ".hpcpp", textOf(golden, source));
    if (const std::string errors = program.errors(); !errors.empty()) return errors;
    ast::Unit& unit = program.unit;
    unit.threads = textOf(golden, options) == "-fopenmp\n";
    for (const ast::Pass& pass : nests::normalizations())
        unit = ast::runPass(pass, std::move(unit), program.quote);
    unit = lower::stampNests(std::move(unit), program.quote);
    for (const ast::Pass& pass : nests::passes())
        unit = ast::runPass(pass, std::move(unit), program.quote);
    return nests::printed(*unit.plans);
}

class Plans : public ::testing::TestWithParam<std::string> {};

TEST_P(Plans, areAsWritten) {
    const Sections golden = folder.read(GetParam());
    ASSERT_TRUE(has(golden, plans));
    EXPECT_EQ(plansOf(GetParam(), golden), textOf(golden, plans));
}

INSTANTIATE_TEST_SUITE_P(Cases, Plans, ::testing::ValuesIn(folder.names()),
                         [](const auto& info) { return info.param; });

std::string regenerate(const std::string& name) {
    Sections sections = folder.read(name);
    const std::string text = plansOf(name, sections);
    if (!text.starts_with("nest")) return name + ": " + text;
    std::erase_if(sections, [](const Section& section) { return section.title == plans; });
    sections.push_back({plans, text});
    folder.write(name, sections);
    return "";
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    using namespace hpcc::testing;
    return goldenMain(argc, argv, folder.names(), regenerate);
}
