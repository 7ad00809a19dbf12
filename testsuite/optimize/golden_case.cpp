// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden_case.hpp"

#include "emit/emit.hpp"
#include "golden/folder.hpp"
#include "golden/pretranslated.hpp"
#include "lower/lower.hpp"
#include "lower/stamp_nests.hpp"
#include "optimize/passes.hpp"
#include "undeclared_name.hpp"

namespace hpcc::testing {
namespace {

const GoldenFolder folder(HPCPP_GOLDEN_FOLDER);

std::string titleOf(int level) { return "-O" + std::to_string(level); }

}  // namespace

std::vector<std::string> goldenNames() { return folder.names(); }

GoldenCase readGolden(const std::string& name) {
    const Sections sections = folder.read(name);
    GoldenCase golden{name, textOf(sections, "source"), {{1, ""}, {2, ""}}};
    for (int level = 0; level <= 2; ++level)
        if (has(sections, titleOf(level))) golden.levels[level] = textOf(sections, titleOf(level));
    return golden;
}

void writeGolden(const GoldenCase& golden) {
    Sections sections{{"source", golden.source}};
    for (const auto& [level, text] : golden.levels) sections.push_back({titleOf(level), text});
    folder.write(golden.name, sections);
}

Optimized optimized(const std::string& name, const std::string& source, int level,
                    const std::function<void(const ast::Unit&)>& inspect) {
    Pretranslated program(name + ".hpcpp", source);
    Optimized result;
    result.errors = program.errors();
    if (!result.errors.empty()) return result;
    ast::Unit& unit = program.unit;
    unit = lower::stampNests(std::move(unit), program.quote);
    const bool isChecked = !source.starts_with("// options: --no-checks\n");
    unit = lower::lower(std::move(unit), program.quote, {isChecked, isChecked});
    for (const ast::Pass& pass : optimize::passes()) {
        if (pass.level > level) continue;
        unit = ast::runPass(pass, std::move(unit), program.quote);
        if (const ast::NodePtr name = undeclaredName(unit))
            result.errors += "nothing declares " + std::string(name->text()) + "\n";
        if (!lower::isLowered(unit)) result.errors += "not lowered any more\n";
    }
    inspect(unit);
    result.text = emit::emit(unit, {.lineDirectives = false});
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    return result;
}

}  // namespace hpcc::testing
