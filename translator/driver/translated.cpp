// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <atomic>
#include <deque>
#include <span>
#include <thread>

#include "ast/pieces.hpp"
#include "driver/pipeline.hpp"
#include "emit/emitter.hpp"
#include "emit/own_names.hpp"
#include "lower/observed_functions.hpp"
#include "nests/plan.hpp"
#include "syntax/parse.hpp"
#include "threads/deep_stack.hpp"

namespace hpcc::driver {
namespace {

using Pieces = std::span<const ast::NodePtr>;

/// Declaration by declaration, so that the memory of one serves for the next.
void translate(Pipeline& pipeline, ast::Unit& unit, Pieces pieces, const std::string& last,
               emit::Emitter& emitter) {
    if (!pieces.empty()) emitter.expect(pieces.back()->span().end - pieces.front()->span().begin);
    for (const ast::NodePtr piece : pieces) {
        unit.root = piece;
        unit = transform(pipeline, std::move(unit), last);
        pipeline.observer.measure("emitted", [&] { emitter.add(unit.root); });
        unit.arena->clear();
    }
}

/// True if nothing of the piece stands on the line on which the one before ends.
bool startsWithNewline(ast::NodePtr piece) {
    const std::string_view text = piece->text();
    const size_t place = text.find_first_not_of(" \t\r");
    return place != std::string_view::npos && text[place] == '\n';
}

/// The pieces in shares of at least so many bytes, cut between lines.
std::vector<Pieces> sharesOf(Pieces pieces, uint32_t bytes) {
    std::vector<Pieces> shares;
    size_t first = 0;
    for (size_t k = 1; k < pieces.size(); ++k) {
        const bool isEnough = pieces[k]->span().begin - pieces[first]->span().begin >= bytes;
        if (!isEnough || !startsWithNewline(pieces[k])) continue;
        shares.push_back(pieces.subspan(first, k - first));
        first = k;
    }
    shares.push_back(pieces.subspan(first));
    return shares;
}

/// How many threads a text is worth. Whoever watches the passes wants to see one after the other.
uint32_t threadsFor(const Pipeline& pipeline, const ast::Unit& unit) {
    constexpr uint32_t most = 16, bytesOfOne = 1 << 15;
    if (pipeline.observer.isWatching() || unit.remarks) return 1;
    const uint32_t cores = std::min(most, std::max(1U, std::thread::hardware_concurrency()));
    return std::clamp(unit.text->size() / bytesOfOne, 1U, cores);
}

/// Translates the shares on several threads. What they share does not change.
void translateTogether(const Pipeline& pipeline, const ast::Unit& unit,
                       const std::vector<Pieces>& shares, const std::string& last,
                       std::deque<emit::Emitter>& emitters, uint32_t threads) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        ast::Quoter quote(syntax::parseSchema);
        Observer observer(false, {});
        Pipeline own{pipeline.options, pipeline.engine, quote, observer, {}, pipeline.observed};
        ast::Unit part = unit;
        part.arena = std::make_shared<ast::Arena>();
        for (size_t k = next++; k < shares.size(); k = next++)
            translate(own, part, shares[k], last, emitters[k]);
    };
    threads::together(std::vector<std::function<void()>>(threads, work));
}

}  // namespace

namespace {

/// What `textOf` tells of the passes on nests, declaration by declaration.
template <class TextOf>
std::string nestsTold(Pipeline& pipeline, ast::Unit unit, const char* none, const TextOf& textOf) {
    const std::shared_ptr<ast::Arena> parsed = std::exchange(unit.arena, nullptr);
    std::string text;
    if (!unit.hasExtensions) return none;
    const lower::ObservedFunctions observed(unit, pipeline.quote);
    pipeline.observed = &observed;
    for (const ast::NodePtr piece : ast::piecesOf(*parsed, unit.root)) {
        unit.arena = std::make_shared<ast::Arena>();
        unit.root = piece;
        unit = transform(pipeline, std::move(unit), "nests");
        if (unit.plans) text += textOf(*unit.plans);
    }
    return text.empty() ? none : text;
}

}  // namespace

std::string plansOf(Pipeline& pipeline, ast::Unit unit) {
    return nestsTold(pipeline, std::move(unit), "no nests\n",
                     [](const nests::Plans& plans) { return nests::printed(plans); });
}

std::string kernelsOf(Pipeline& pipeline, ast::Unit unit) {
    return nestsTold(pipeline, std::move(unit), "no kernels\n",
                     [](const nests::Plans& plans) { return plans.kernelTexts; });
}

std::string translated(Pipeline& pipeline, ast::Unit unit, const std::string& last,
                       bool lineDirectives) {
    const emit::Options options{.lineDirectives = lineDirectives};
    if (!unit.hasExtensions) return emit::emit(unit, options);
    const lower::ObservedFunctions observed(unit, pipeline.quote);
    pipeline.observed = &observed;
    const std::shared_ptr<ast::Arena> parsed = unit.arena;
    const bool isWhole = pipeline.observer.printsWholeUnits();
    const std::vector<ast::NodePtr> pieces =
        isWhole ? std::vector{unit.root} : ast::piecesOf(*parsed, unit.root);
    const uint32_t threads = threadsFor(pipeline, unit);
    constexpr uint32_t sharesOfOne = 4;  // whoever is ready first takes more
    const std::vector<Pieces> shares =
        sharesOf(pieces, threads == 1 ? UINT32_MAX : unit.text->size() / (threads * sharesOfOne));
    std::deque<emit::Emitter> emitters;
    for (size_t k = 0; k < shares.size(); ++k) emitters.emplace_back(unit, options);
    if (shares.size() > 1) {
        translateTogether(pipeline, unit, shares, last, emitters, threads);
    } else {
        unit.arena = std::make_shared<ast::Arena>();
        translate(pipeline, unit, pieces, last, emitters.front());
    }
    // Of one #if .. #endif its first line is enough.
    const std::vector<source::Span> lost = emit::Emitter::lostDirectives(emitters);
    if (!lost.empty())
        pipeline.engine.report(diagnostics::Id::DirectiveLost, lost.front())
            .help(
                "let each branch hold whole statements, and put a body that it is in into braces");
    std::string text;
    pipeline.observer.measure("emitted", [&] { text = emit::Emitter::text(emitters); });
    auto macros = emit::macrosOf(unit.text->content());
    for (const ast::Unit* import : unit.imports)
        macros.merge(emit::macrosOf(import->text->content()));
    return lineDirectives ? emit::withOwnNames(std::move(text), macros) : text;
}

}  // namespace hpcc::driver
