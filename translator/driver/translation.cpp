// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/translation.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ast/print.hpp"
#include "ast/search.hpp"
#include "driver/failure.hpp"
#include "driver/files.hpp"
#include "regions/generic_arrays.hpp"
#include "regions/regions.hpp"
#include "source/line_marks.hpp"
#include "syntax/parse.hpp"
#include "threads/memory.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

fs::path absolutePath(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

bool isHeader(const fs::path& path) { return path.extension() == ".hph"; }
bool isExtended(const fs::path& path) { return path.extension() == ".hpcpp" || isHeader(path); }

/// The text as a unit of the C++ compiler, whose messages name the user's file.
std::string withOrigin(const source::Text& text) {
    std::string quoted;
    for (const char c : text.path())
        quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return fmt::format("#line 1 \"{}\"\n{}", quoted, text.content());
}

/// A remark that a pass makes is wanted: -Rpass or --why has chosen it.
diagnostics::Levels ofRemarks() {
    diagnostics::Levels levels;
    levels.choose(diagnostics::Id::PassFired, diagnostics::Levels::Choice::Shown);
    levels.choose(diagnostics::Id::PassMissed, diagnostics::Levels::Choice::Shown);
    return levels;
}

bool holdsLine(const source::Span& span, uint32_t line) {
    return source::userLine(span) <= line &&
           line <= source::userLine({span.text, span.end - 1, span.end});
}

void addNests(ast::NodePtr node, std::vector<source::Span>& nests) {
    if (!node) return;
    if (ast::is<ast::Overall>(node)) return nests.push_back(node->span());
    if (regions::choosesForm(node)) return addNests(node->child(ast::If::then), nests);
    for (const ast::NodePtr child : node->children()) addNests(child, nests);
}

/// "nests begin in line 5 and 9"
std::string placesOf(const std::vector<source::Span>& nests) {
    if (nests.empty()) return "there is no nest in it";
    std::vector<uint32_t> lines;
    for (const source::Span& nest : nests) lines.push_back(source::userLine(nest));
    return fmt::format("nests begin in line {}", fmt::join(lines, ", "));
}

}  // namespace

Translation::Translation(const Options& options, Reporter& reporter, FileRoles& roles,
                         fs::path shadow)
    : options_(options),
      reporter_(reporter),
      roles_(roles),
      shadow_(std::move(shadow)),
      remarks_(remarkEngine_, options.diagnostics.remarks),
      quote_(syntax::parseSchema),
      observer_(options.timePasses, options.printAfter),
      pipeline_{options_, engine_, quote_, observer_} {
    engine_.setLevels(options.diagnostics.levels);
    remarkEngine_.setLevels(ofRemarks());
}

const source::Text& Translation::read(const fs::path& source) {
    return texts_.emplace_back(source.string(), readSource(source));
}

std::optional<Translation::Result> Translation::translate(const fs::path& source) {
    const threads::WithinAvailableMemory limit;
    const source::Text& text = read(source);
    if (!isExtended(source)) {
        const bool plain = importsOf(text).empty() && headers_.empty();
        if (!finish(source)) return std::nullopt;
        return plain ? Result{std::string(text.content()), true} : Result{withOrigin(text), false};
    }
    std::optional<ast::Unit> unit = analysed(text, "checked");
    if (!finish(source)) return std::nullopt;
    if (!unit->hasExtensions) {
        return headers_.empty() ? Result{std::string(text.content()), true}
                                : Result{withOrigin(text), false};
    }
    auto emittedText = emitted(source, std::move(*unit), "optimized", options_.lineDirectives);
    if (!emittedText) return std::nullopt;
    return Result{std::move(*emittedText), false};
}

std::optional<std::string> Translation::form(const fs::path& source, const std::string& stage) {
    const threads::WithinAvailableMemory limit;
    const source::Text& text = read(source);
    if (stage == "tokens") return syntax::printTokens(text);
    std::optional<ast::Unit> unit = analysed(text, stage);
    if (!finish(source)) return std::nullopt;
    if (stage == "parsed" || stage == "checked") return ast::printTree(*unit);
    if (stage == "nests") return plansOf(pipeline_, std::move(*unit));
    if (stage == "kernels") return kernelsOf(pipeline_, std::move(*unit));
    const bool last = stage == "cpp" || stage == "header";
    auto formed = emitted(source, std::move(*unit), last ? "optimized" : stage,
                          stage == "cpp" && options_.lineDirectives);
    return formed && stage == "cpp" ? standingAlone(std::move(*formed), source) : formed;
}

bool Translation::answer(const fs::path& source, uint32_t line) {
    const threads::WithinAvailableMemory limit;
    if (!isExtended(source))
        throw Failure(ExitCode::Usage,
                      fmt::format("'{}' is no .hpcpp and no .hph file", source.string()));
    const source::Text& text = read(source);
    std::optional<ast::Unit> unit = analysed(text, "checked");
    if (!finish(source)) return false;
    std::vector<source::Span> nests;
    addNests(unit->root, nests);
    const auto isThere = [&](const source::Span& span) { return holdsLine(span, line); };
    std::string places = placesOf(nests);
    std::erase_if(nests, [&](const source::Span& nest) { return !isThere(nest); });
    plansOf(pipeline_, std::move(*unit));
    diagnostics::Engine answers;
    answers.setLevels(ofRemarks());
    for (const diagnostics::Diagnostic& each : remarkEngine_.all())
        if (source::userLine(each.span) == line ||
            std::ranges::any_of(nests, [&](const auto& nest) { return nest.contains(each.span); }))
            answers.adopt(each);
    if (answers.all().empty())
        throw Failure(ExitCode::Usage,
                      line > text.lineCount()
                          ? fmt::format("'{}' has no line {}", source.string(), line)
                          : fmt::format("nothing is told of line {} of '{}': {}", line,
                                        source.string(), places));
    answers.tellOfUsersTexts();
    answers.sort();
    reporter_.report(answers);
    return true;
}

/// The text after `last`. What comes to light while it is made has an engine of its own: all else
/// has been told.
std::optional<std::string> Translation::emitted(const fs::path& source, ast::Unit unit,
                                                const std::string& last, bool lineDirectives) {
    diagnostics::Engine late;
    Pipeline pipeline{options_, late, quote_, observer_};
    std::string text = translated(pipeline, std::move(unit), last, lineDirectives);
    tellRemarks();
    late.tellOfUsersTexts();
    reporter_.report(late);
    observer_.report(source.string());
    if (late.hasErrors()) return std::nullopt;
    return text;
}

/// With --headers the text may lie anywhere: what it finds beside its source, and what has been
/// translated, is included by absolute path.
std::string Translation::standingAlone(std::string emitted, const fs::path& source) const {
    if (!options_.headerFolder) return emitted;
    const auto quoted = [](const fs::path& path) { return '"' + path.string() + '"'; };
    const source::Text extended(source.string(), std::move(emitted));
    const source::Text plain(
        source.string(), renameIncludes(extended, findIncludes(extended),
                                        [&](const Include& include) -> std::optional<std::string> {
                                            const auto found = find(include, extended);
                                            if (!found) return std::nullopt;
                                            return quoted(shadowOf(absolutePath(*found)));
                                        }));
    return renameIncludes(
        plain, findPlainIncludes(plain), [&](const Include& include) -> std::optional<std::string> {
            const fs::path own = absolutePath(source.parent_path() / include.name);
            if (!isRegularFile(own)) return std::nullopt;
            return quoted(own);
        });
}

fs::path Translation::shadowOf(const fs::path& header) const {
    return absolutePath(shadow_) / header.relative_path();
}

std::vector<fs::path> Translation::headers() const {
    std::vector<fs::path> paths;
    for (const auto& [path, header] : headers_) paths.push_back(path);
    return paths;
}

/// Everything that has been found goes out; whether the translation may go on.
bool Translation::finish(const fs::path& source) {
    engine_.tellOfUsersTexts();
    engine_.sort();
    reporter_.report(engine_);
    if (engine_.hasErrors()) observer_.report(source.string());
    return !engine_.hasErrors();
}

/// What the passes had to say.
void Translation::tellRemarks() {
    if (remarkEngine_.all().empty()) return;
    remarkEngine_.tellOfUsersTexts();
    remarkEngine_.sort();
    reporter_.report(remarkEngine_);
}

std::optional<ast::Unit> Translation::analysed(const source::Text& text, const std::string& last) {
    std::vector<const ast::Unit*> imports = importsOf(text);
    std::optional<ast::Unit> unit = analyse(pipeline_, text, std::move(imports), last);
    const ast::WantedRemarks& wanted = options_.diagnostics.remarks;
    const bool isWanted = !wanted.fired.empty() || !wanted.missed.empty();
    if (unit && isWanted) {
        unit->remarks = &remarks_;
        for (const ast::NodePtr branch : ast::allOf<ast::If>(unit->root))
            if (regions::choosesForm(branch)) remarks_.cover(branch->child(ast::If::otherwise));
        for (const regions::CallLeft& each : pipeline_.callsLeft.all)
            remarks_.missed(
                "called-code", each.call, "what this function does is not written in the nest",
                each.call, "because " + each.reason,
                "give it numbers in place of indices and arrays, or write it in the nest");
    }
    if (unit) unit->threads = options_.threads;
    return unit;
}

std::vector<const ast::Unit*> Translation::importsOf(const source::Text& text) {
    std::vector<const ast::Unit*> imports;
    if (roles_.anyOutputExists()) noteReads(text);
    if (isExtended(text.path())) importPlain(text, imports);
    for (const Include& include : findIncludes(text)) import(include, text, imports);
    if (!shadow_.empty() && !options_.headerFolder) forwardPlainNames(text);
    return imports;
}

/// The plain headers that the text names stay as they are, but its user needs them.
void Translation::noteReads(const source::Text& includer) {
    for (const Include& include : findPlainIncludes(includer))
        if (const auto found = find(include, includer)) roles_.addInput(*found);
}

void Translation::writeShadow(const fs::path& target, std::string_view text) const {
    roles_.requireFree(target);
    makeFolders(target.parent_path());
    writeFile(target, text);
}

/// The translated text no longer lies beside its plain headers, and headers of one name may lie in
/// several folders: each stands in the shadow folder too, as a file that includes it.
void Translation::forwardPlainNames(const source::Text& includer) const {
    const fs::path folder = absolutePath(includer.path()).parent_path();
    for (const Include& include : findPlainIncludes(includer)) {
        const fs::path own = (folder / include.name).lexically_normal();
        if (!isRegularFile(own)) continue;
        const fs::path forward = shadow_ / own.relative_path();
        makeFolders(shadow_ / folder.relative_path());
        writeShadow(forward, fmt::format("#include \"{}\"\n", own.string()));
    }
}

void Translation::import(const Include& include, const source::Text& includer,
                         std::vector<const ast::Unit*>& imports) {
    const std::optional<fs::path> found = find(include, includer);
    if (!found) {
        if (!include.isConditional) {
            engine_.report(diagnostics::Id::MissingHeader, include.span, include.name)
                .help("folders of headers are given with -I");
        }
        return;
    }
    Header& imported = header(absolutePath(*found), *found);
    if (imported.unit) imports.push_back(&*imported.unit);
}

/// What the functions of plain headers do is read; their text stays as it is.
void Translation::importPlain(const source::Text& includer,
                              std::vector<const ast::Unit*>& imports) {
    for (const Include& include : findPlainIncludes(includer))
        if (const auto found = find(include, includer))
            if (const ast::Unit* unit = plainHeader(absolutePath(*found))) imports.push_back(unit);
}

/// Null for one that is large, as whole libraries in one header are, or not understood.
const ast::Unit* Translation::plainHeader(const fs::path& path) {
    constexpr std::uintmax_t largest = 1 << 18;
    const auto [entry, isNew] = plainHeaders_.try_emplace(path, std::make_unique<Header>());
    Header& header = *entry->second;
    if (isNew && isRegularFile(path) && fs::file_size(path) <= largest) {
        header.text.emplace(path.string(), readSource(path));
        std::vector<const ast::Unit*> imports;
        importPlain(*header.text, imports);
        diagnostics::Engine untold;
        ast::Unit unit = syntax::parse(*header.text, untold, std::move(imports));
        const bool isPlain = !unit.hasExtensions && !regions::hasAttributes(unit);
        if (isPlain && !untold.hasErrors()) header.unit = std::move(unit);
    }
    return header.unit ? &*header.unit : nullptr;
}

std::optional<fs::path> Translation::find(const Include& include,
                                          const source::Text& includer) const {
    std::vector<fs::path> folders;
    if (include.isQuoted) folders.push_back(fs::path(includer.path()).parent_path());
    for (const std::string& folder : options_.includeFolders) folders.emplace_back(folder);
    for (const fs::path& folder : folders) {
        const fs::path candidate = folder / include.name;
        std::error_code isAbsent;
        if (fs::exists(candidate, isAbsent)) return candidate;
    }
    return std::nullopt;
}

/// Translates the header unless that is done or under way (headers may include each other, behind
/// guards).
Translation::Header& Translation::header(const fs::path& path, const fs::path& spelled) {
    const auto [entry, isNew] = headers_.try_emplace(path, std::make_unique<Header>());
    Header& header = *entry->second;
    if (!isNew) return header;
    roles_.addInput(path);
    header.text.emplace(spelled.string(), readSource(path));
    header.unit = analysed(*header.text, "checked");
    if (!header.unit || shadow_.empty()) return header;
    const fs::path target = shadowOf(path);
    std::string text = header.unit->hasExtensions
                           ? translated(pipeline_, *header.unit, "optimized", true)
                           : withOrigin(*header.text);
    writeShadow(target, standingAlone(std::move(text), path));
    return header;
}

}  // namespace hpcc::driver
