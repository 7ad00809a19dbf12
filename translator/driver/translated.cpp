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

/// A few declarations after the other, so that the memory of those serves for the next ones.
class Translator {
public:
    Translator(Pipeline& pipeline, ast::Unit unit, const std::string& last)
        : pipeline_(pipeline), unit_(std::move(unit)), last_(last) {}

    void translate(Pieces pieces, emit::Emitter& emitter) {
        if (pieces.empty()) return;
        emitter.expect(pieces.back()->span().end - pieces.front()->span().begin);
        // Remarks come declaration by declaration.
        constexpr uint32_t enough = 1 << 13;
        const uint32_t bytes = unit_.remarks ? 0 : enough;
        for (size_t first = 0, k = 0; k < pieces.size(); ++k) {
            if (k + 1 < pieces.size() &&
                pieces[k]->span().end - pieces[first]->span().begin < bytes)
                continue;
            translateTogether(pieces.subspan(first, k + 1 - first), emitter);
            first = k + 1;
        }
    }

private:
    void translateTogether(Pieces roots, emit::Emitter& emitter) {
        if (pieces_.size() < roots.size()) pieces_.resize(roots.size());
        const auto pieces = std::span(pieces_).first(roots.size());
        for (size_t k = 0; k < roots.size(); ++k) pieces[k].root = roots[k];
        transform(pipeline_, unit_, pieces, last_);
        pipeline_.observer.measure("emitted", [&] {
            for (const Piece& piece : pieces) emitter.add(piece.root);
        });
        for (const Piece& piece : pieces) piece.arena->clear();
    }

    Pipeline& pipeline_;
    ast::Unit unit_;
    const std::string& last_;
    std::vector<Piece> pieces_;
};

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
        Translator translator(own, unit, last);
        for (size_t k = next++; k < shares.size(); k = next++)
            translator.translate(shares[k], emitters[k]);
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
        Piece made{piece};
        transform(pipeline, unit, std::span(&made, 1), "nests");
        if (made.plans) text += textOf(*made.plans);
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
        Translator(pipeline, unit, last).translate(pieces, emitters.front());
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
