// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/pipeline.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "ast/pass.hpp"
#include "ast/search.hpp"
#include "check/annotate.hpp"
#include "check/check.hpp"
#include "driver/failure.hpp"
#include "lower/assert_independence.hpp"
#include "lower/lower.hpp"
#include "lower/stamp_nests.hpp"
#include "nests/passes.hpp"
#include "nests/plan.hpp"
#include "optimize/passes.hpp"
#include "pretranslate/pretranslate.hpp"
#include "regions/calls_in_nests.hpp"
#include "regions/generic_arrays.hpp"
#include "regions/ranks.hpp"
#include "regions/regions.hpp"
#include "regions/vectors.hpp"
#include "source/line_marks.hpp"
#include "syntax/parse.hpp"

namespace hpcc::driver {
namespace {

/// What is wrong with lines that stand several times in the text is told once.
void judge(ast::Unit& unit, diagnostics::Engine& engine) {
    if (!unit.text->hasLineMarks()) return check::check(unit, engine);
    diagnostics::Engine own;
    check::check(unit, own);
    std::map<std::pair<diagnostics::Id, uint32_t>, uint32_t> told;  // where, by code and line
    for (const diagnostics::Diagnostic& each : own.all()) {
        const uint32_t line = each.span.position().line;
        const auto [first, isNew] = told.try_emplace({each.id, unit.text->userLine(line)}, line);
        if (isNew || first->second == line) engine.adopt(each);
    }
    engine.sort();
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// A pass runs at its level and above; --pass=name and --pass=no-name decide otherwise.
bool isOn(const Options& options, const std::string& name, int level) {
    if (contains(options.passes, "no-" + name)) return false;
    return options.level >= level || contains(options.passes, name);
}

/// Some pieces on their way through the stages, and the unit that they belong to.
class OnTheWay {
public:
    OnTheWay(Pipeline& pipeline, ast::Unit& unit, std::span<Piece> pieces)
        : pipeline_(pipeline), unit_(unit), pieces_(pieces) {}

    /// Calls `work` with the unit of each piece.
    void each(const std::function<void(ast::Unit&)>& work) const {
        for (Piece& piece : pieces_) {
            piece.swapWith(unit_);
            work(unit_);
            piece.swapWith(unit_);
        }
    }

    void perform(const std::string& name, const std::function<ast::Unit(ast::Unit)>& stage) const {
        each([&](ast::Unit& unit) {
            unit = pipeline_.observer.perform(name, [&] { return stage(std::move(unit)); });
        });
    }

    /// Performs the passes of one table in its order.
    void performAll(std::span<const ast::Pass> passes) const {
        for (const ast::Pass& pass : passes) {
            const std::string name(pass.name);
            if (!isOn(pipeline_.options, name, pass.level)) continue;
            perform(name, [&](ast::Unit unit) {
                return pass.function(std::move(unit), pipeline_.quote);
            });
        }
    }

private:
    Pipeline& pipeline_;
    ast::Unit& unit_;
    std::span<Piece> pieces_;
};

/// What a stage promises its successors. Broken, it is our own error.
void require(bool promise, const char* stage) {
    if (!promise) throw std::logic_error(fmt::format("stage '{}' left work undone", stage));
}

/// What a text that regions have written says.
bool parseAgain(Pipeline& pipeline, ast::Unit& unit, const std::string& text) {
    const source::Text* const user = unit.text->user() ? unit.text->user() : unit.text;
    const source::Text& made = pipeline.texts.emplace_back(unit.text->path(), text, user);
    diagnostics::Engine engine;
    unit = pipeline.observer.perform(
        "divided", [&] { return syntax::parse(made, engine, std::move(unit.imports)); });
    // What was left to the C++ compiler, as long as there was no nest, may be an error now.
    for (const diagnostics::Diagnostic& each : engine.all())
        if (each.severity == diagnostics::Severity::Error) pipeline.engine.adopt(each);
    return !engine.hasErrors();
}

/// Regions divide loops over elements T as those over numbers; with other types they run whole.
void annotateForRegions(const ast::Unit& unit) {
    check::annotate(unit, regions::hasAttributes(unit) ? check::TypeParameters::AreNumbers
                                                       : check::TypeParameters::AreUnknown);
}

/// Writes code of any rank for each rank, and index vectors as the indices of nests.
bool writeVectors(Pipeline& pipeline, ast::Unit& unit) {
    diagnostics::Engine& engine = pipeline.engine;
    const auto ranks = regions::ranksWritten(unit, engine);
    if (engine.hasErrors() || (ranks && !parseAgain(pipeline, unit, *ranks))) return false;
    annotateForRegions(unit);
    const auto vectors = regions::vectorsWritten(unit, engine);
    return !engine.hasErrors() && (!vectors || parseAgain(pipeline, unit, *vectors));
}

/// Writes the loops of methods as nests, and reads them: what follows sees no other form.
bool divide(Pipeline& pipeline, ast::Unit& unit) {
    annotateForRegions(unit);
    const auto simpler = [&] {
        auto text = regions::withoutSwaps(unit);
        if (!text) text = regions::withoutRowNames(unit);
        if (!text) text = regions::withNamedMembers(unit);
        return text ? text : regions::counted(unit);
    };
    while (const auto text = simpler()) {
        if (!parseAgain(pipeline, unit, *text)) return false;
        annotateForRegions(unit);
    }
    const auto text = regions::divided(unit, pipeline.engine);
    pipeline.engine.sort();
    if (pipeline.engine.hasErrors()) return false;
    if (!text) return true;
    if (!parseAgain(pipeline, unit, *text)) return false;
    unit.hasExtensions = true;  // the attributes, of which no C++ compiler shall warn
    return true;
}

/// What a text says, and what is wrong with it; nothing if it cannot be read.
std::optional<ast::Unit> readAgain(Pipeline& pipeline, const ast::Unit& unit, const char* pass,
                                   const std::string& text, diagnostics::Engine& engine) {
    const source::Text* const user = unit.text->user() ? unit.text->user() : unit.text;
    const source::Text& made = pipeline.texts.emplace_back(unit.text->path(), text, user);
    ast::Unit known =
        pipeline.observer.perform(pass, [&] { return syntax::parse(made, engine, unit.imports); });
    if (engine.hasErrors()) return std::nullopt;
    check::check(known, engine);
    return known;
}

/// What nests do by the functions that they call is told of as if it stood in the nests.
bool isToldOfCalls(diagnostics::Id id) {
    using diagnostics::Id;
    constexpr std::array all = {Id::ShiftTooWide,        Id::NoGhostCells,
                                Id::DependentIterations, Id::PerhapsDependentIterations,
                                Id::StaleGhosts,         Id::PerhapsStaleGhosts,
                                Id::NarrowHalo};
    return std::ranges::find(all, id) != all.end();
}

void tellOfCalls(Pipeline& pipeline, const ast::Unit& unit, const diagnostics::Engine& found) {
    std::set<std::pair<diagnostics::Id, uint32_t>> told;  // where, by code and line
    for (const diagnostics::Diagnostic& each : pipeline.engine.all())
        told.emplace(each.id, source::userLine(each.span));
    const std::vector<ast::NodePtr> nests =
        found.all().empty() ? std::vector<ast::NodePtr>() : ast::allOf<ast::Overall>(unit.root);
    for (diagnostics::Diagnostic each : found.all()) {
        const uint32_t line = source::userLine(each.span);
        if (!isToldOfCalls(each.id) || told.contains({each.id, line})) continue;
        for (const ast::NodePtr nest : nests)
            if (nest->span().contains(each.span) && source::userLine(nest->span()) > line) {
                const ast::NodePtr head = nest->child(ast::Overall::headers);
                each.notes.push_back({head->span(), "this nest calls the function"});
                break;
            }
        pipeline.engine.adopt(each);
    }
}

/// Writes what functions do where nests call them, and what those call in turn. What is wrong with
/// it is told at each level.
void writeCalls(Pipeline& pipeline, ast::Unit& unit) {
    constexpr int deepestCalls = 8;
    ast::Unit known = unit;
    diagnostics::Engine found;
    for (int depth = 0; depth < deepestCalls; ++depth) {
        pipeline.callsLeft = {known.arena, {}};
        const auto text = regions::callsWritten(known, pipeline.callsLeft.all);
        if (!text) break;
        diagnostics::Engine engine;
        auto next = readAgain(pipeline, known, "called-code", *text, engine);
        const bool isRight =
            next && std::ranges::none_of(engine.all(), [](const auto& each) {
                return each.severity == diagnostics::Severity::Error && !isToldOfCalls(each.id);
            });
        if (!isRight) break;
        known = std::move(*next);
        found = std::move(engine);
    }
    tellOfCalls(pipeline, known, found);
    if (isOn(pipeline.options, "called-code", 3))
        unit = std::move(known);
    else
        pipeline.callsLeft = {};
}

/// Gives nests of templates a form in which their arrays are known, where it breaks no rule.
void knowArrays(Pipeline& pipeline, ast::Unit& unit) {
    const auto text = regions::arraysKnown(unit);
    if (!text) return;
    diagnostics::Engine unheard;  // all that is to be told of the program has been told
    auto known = readAgain(pipeline, unit, "generic-arrays", *text, unheard);
    if (known && !unheard.hasErrors()) unit = std::move(*known);
}

/// True if it holds what methods have become. Their views must know what nests write.
bool holdsMethods(const ast::Unit& unit) { return unit.identifiers.contains("Method"); }

}  // namespace

bool asksForDevices(const Options& options) {
    return options.device && isOn(options, "home", 3) && isOn(options, "fast-nests", 3);
}

// The table of contents of the translator, in two halves, because a header is handed over when it
// is checked.

std::optional<ast::Unit> analyse(Pipeline& pipeline, const source::Text& text,
                                 std::vector<const ast::Unit*> imports, const std::string& last) {
    Observer& observer = pipeline.observer;
    ast::Unit unit = observer.perform(
        "parsed", [&] { return syntax::parse(text, pipeline.engine, std::move(imports)); });
    if (pipeline.engine.hasErrors()) return std::nullopt;
    if (last == "parsed") return unit;
    if (unit.hasExtensions && !writeVectors(pipeline, unit)) return std::nullopt;
    if (regions::hasAttributes(unit) && !divide(pipeline, unit)) return std::nullopt;
    if (last == "divided") return unit;

    unit = observer.perform("checked", [&] {
        judge(unit, pipeline.engine);
        return std::move(unit);
    });
    if (pipeline.engine.hasErrors()) return std::nullopt;
    require(check::isChecked(unit), "checked");
    if (unit.hasExtensions) writeCalls(pipeline, unit);
    if (pipeline.engine.hasErrors()) return std::nullopt;
    if (unit.hasExtensions && isOn(pipeline.options, "generic-arrays", 3))
        knowArrays(pipeline, unit);
    return unit;
}

void Piece::swapWith(ast::Unit& unit) {
    std::swap(root, unit.root);
    std::swap(arena, unit.arena);
    std::swap(plans, unit.plans);
}

void transform(Pipeline& pipeline, ast::Unit& whole, std::span<Piece> pieces,
               const std::string& last) {
    if (!whole.hasExtensions || last == "checked" || last == "parsed" || last == "divided") return;
    const OnTheWay all(pipeline, whole, pieces);
    std::vector<ast::NodePtr> before;
    for (const Piece& piece : pieces) before.push_back(piece.root);

    // Sections, general subscripts and nested expressions first become simple ones, so that every
    // later pass sees few forms.
    all.perform("pretranslated", [&](ast::Unit unit) {
        return pretranslate::pretranslate(std::move(unit), pipeline.quote);
    });
    all.each(
        [](ast::Unit& unit) { require(pretranslate::isPretranslated(unit), "pretranslated"); });
    if (last == "pretranslated") return;

    // Nests in other spellings get the one that the passes on nests recognise.
    const auto plan = [&options = pipeline.options](ast::Unit& unit) {
        unit.plans.reset();
        nests::Plans& plans = nests::Plans::of(unit);
        plans.wantsDevices = asksForDevices(options);
        plans.wantsVectorMath = options.vectorMath;
        plans.keepsOrderOfSums = !isOn(options, "reductions", 3);
    };
    all.each(plan);
    all.performAll(nests::normalizations());

    // Before a nest gets a second form, what it writes is noted for both.
    if (pipeline.options.ghostChecks || holdsMethods(whole))
        all.perform("stamped", [&](ast::Unit unit) {
            return lower::stampNests(std::move(unit), pipeline.quote);
        });

    // What is promised of nests can be checked when the program runs.
    if (pipeline.options.boundsChecks)
        all.perform("asserted", [&](ast::Unit unit) {
            return lower::assertIndependence(std::move(unit), pipeline.quote, *pipeline.observed);
        });

    // Whole nests are improved while ranges, indices and access sets still stand in the tree.
    all.each(plan);
    all.performAll(nests::passes());
    if (last == "nests") return;

    all.perform("lowered", [&](ast::Unit unit) {
        unit.plans.reset();
        return lower::lower(std::move(unit), pipeline.quote,
                            {.boundsChecks = pipeline.options.boundsChecks,
                             .ghostChecks = pipeline.options.ghostChecks});
    });
    all.each([](ast::Unit& unit) { require(lower::isLowered(unit), "lowered"); });
    if (last == "lowered") return;

    // Scalar passes see the lowered loops and subscripts as ordinary C++.
    all.performAll(optimize::passes());

    // That none leaves a node standing twice, tests ask of each pass (ast::runPass).
    for (size_t k = 0; k < pieces.size(); ++k)
        if (pieces[k].root != before[k] && ast::findSharedNode(pieces[k].root))
            throw std::logic_error("a pass uses a node twice");
}

namespace {

/// Of -Rpass and -Rpass-missed; "" stands for all.
void requireKnownRemarks(const ast::WantedRemarks& wanted, std::vector<std::string> names) {
    names.insert(names.end(), {"devices", "threads", "vector-math"});
    const auto require = [&](std::string_view option, const std::string& name) {
        if (name.empty() || contains(names, name)) return;
        throw Failure(ExitCode::Usage,
                      fmt::format("{}={}: no pass '{}' tells what it does; there are {}", option,
                                  name, name, fmt::join(names, ", ")));
    };
    for (const std::string& name : wanted.fired) require("-Rpass", name);
    for (const std::string& name : wanted.missed) require("-Rpass-missed", name);
}

}  // namespace

void requireKnownPasses(const Options& options) {
    std::vector<std::string> names = {"called-code", "generic-arrays"};
    for (const ast::Pass& pass : nests::normalizations()) names.emplace_back(pass.name);
    for (const ast::Pass& pass : nests::passes()) names.emplace_back(pass.name);
    for (const ast::Pass& pass : optimize::passes()) names.emplace_back(pass.name);
    for (const std::string& name : options.passes) {
        const std::string plain = name.rfind("no-", 0) == 0 ? name.substr(3) : name;
        if (!contains(names, plain)) {
            throw Failure(ExitCode::Usage,
                          fmt::format("--pass={}: there is no pass '{}'", name, plain));
        }
    }
    requireKnownRemarks(options.diagnostics.remarks, names);
    names.insert(names.end(), {"parsed", "divided", "checked", "pretranslated", "stamped",
                               "asserted", "lowered"});
    for (const std::string& name : options.printAfter) {
        if (!contains(names, name)) {
            throw Failure(ExitCode::Usage,
                          fmt::format("--print-after={}: there is no such stage or pass", name));
        }
    }
}

}  // namespace hpcc::driver
