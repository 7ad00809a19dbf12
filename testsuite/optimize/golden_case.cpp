#include "golden_case.hpp"

#include "emit/emit.hpp"
#include "golden/folder.hpp"
#include "golden/pretranslated.hpp"
#include "lower/lower.hpp"
#include "lower/stamp_nests.hpp"
#include "optimize/passes.hpp"

namespace hpcc::testing {
namespace {

const GoldenFolder folder(HPCPP_GOLDEN_FOLDER);

}  // namespace

std::vector<std::string> goldenNames() { return folder.names(); }

GoldenCase readGolden(const std::string& name) {
    const Sections sections = folder.read(name);
    return {
        name, textOf(sections, "source"), {"", textOf(sections, "-O1"), textOf(sections, "-O2")}};
}

void writeGolden(const GoldenCase& golden) {
    folder.write(golden.name,
                 {{"source", golden.source}, {"-O1", golden.level[1]}, {"-O2", golden.level[2]}});
}

Optimized optimized(const std::string& name, const std::string& source, int level,
                    const std::function<void(const ast::Unit&)>& inspect) {
    Pretranslated program(name + ".hpcpp", source);
    Optimized result;
    result.errors = program.errors();
    if (!result.errors.empty()) return result;
    ast::Unit& unit = program.unit;
    unit = lower::stampNests(std::move(unit), program.quote);
    unit = lower::lower(std::move(unit), program.quote);
    for (const ast::Pass& pass : optimize::passes())
        if (pass.level <= level) unit = ast::runPass(pass, std::move(unit), program.quote);
    if (!lower::isLowered(unit)) result.errors += "not lowered any more\n";
    inspect(unit);
    result.text = emit::emit(unit, {.lineDirectives = false});
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    return result;
}

}  // namespace hpcc::testing
