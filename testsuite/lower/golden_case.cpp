// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden_case.hpp"

#include "ast/pass.hpp"
#include "emit/emit.hpp"
#include "golden/folder.hpp"
#include "golden/pretranslated.hpp"
#include "lower/assert_independence.hpp"
#include "lower/observed_functions.hpp"
#include "lower/stamp_nests.hpp"
#include "pretranslate/pretranslate.hpp"

namespace hpcc::testing {
namespace {

const std::string asTheSource = "pretranslated: as the source";
const GoldenFolder folder(HPCPP_GOLDEN_FOLDER);

}  // namespace

std::vector<std::string> goldenNames() { return folder.names(); }

GoldenCase readGolden(const std::string& name) {
    const Sections sections = folder.read(name);
    const std::string second = has(sections, asTheSource) ? "source" : "pretranslated";
    return {name, textOf(sections, "source"), textOf(sections, second),
            textOf(sections, "lowered")};
}

void writeGolden(const GoldenCase& golden) {
    const Section pretranslated = golden.pretranslated == golden.source
                                      ? Section{asTheSource, ""}
                                      : Section{"pretranslated", golden.pretranslated};
    folder.write(golden.name,
                 {{"source", golden.source}, pretranslated, {"lowered", golden.lowered}});
}

lower::Options GoldenCase::options() const {
    const auto has = [&](const std::string& option) {
        return source.find("// options: " + option + "\n") != std::string::npos;
    };
    const bool none = has("--no-checks");
    return {.boundsChecks = !none && !has("--no-bounds-checks"),
            .ghostChecks = !none && !has("--no-ghost-checks")};
}

Translation translate(const std::string& path, const std::string& source,
                      const lower::Options& options) {
    Pretranslated program(path, source);
    Translation result;
    result.errors = program.errors();
    if (!result.errors.empty()) return result;
    ast::Unit& unit = program.unit;
    result.pretranslated = emit::emit(unit, {.lineDirectives = false});
    if (!pretranslate::isPretranslated(unit)) result.errors += "not pre-translated\n";
    if (ast::findSharedNode(unit.root)) result.errors += "pre-translation uses a node twice\n";
    const lower::ObservedFunctions observed(unit, program.quote);
    if (options.ghostChecks) unit = lower::stampNests(std::move(unit), program.quote);
    if (options.boundsChecks)
        unit = lower::assertIndependence(std::move(unit), program.quote, observed);
    if (ast::findSharedNode(unit.root)) result.errors += "stamps use a node twice\n";
    unit = lower::lower(std::move(unit), program.quote, options);
    result.lowered = emit::emit(unit, {.lineDirectives = false});
    result.emitted = emit::emit(unit, {.lineDirectives = true});
    if (!lower::isLowered(unit)) result.errors += "not lowered\n";
    if (ast::findSharedNode(unit.root)) result.errors += "lowering uses a node twice\n";
    return result;
}

}  // namespace hpcc::testing
