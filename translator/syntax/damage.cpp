// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/damage.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace hpcc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Id;
using source::ByteRange;

constexpr uint32_t endOfText = std::numeric_limits<uint32_t>::max();

bool isDead(const TokenStream& stream, const EarlyError& error) {
    if (error.id == Id::BracketUnmatched) return false;  // only its token is dead
    const std::size_t token = std::min<std::size_t>(error.token, stream.tokens.size() - 1);
    if (stream.tokens[token].begin == error.span.begin) return stream.tokens[token].dead;
    const bool before = token > 0 && stream.tokens[token - 1].dead;
    return stream.tokens[token].dead || (before && stream.tokens[token].raw == T::END);
}

// An unclosed literal swallows brackets, so that what is said about brackets may be wrong.
bool swallowsText(Id id) {
    return id == Id::UnterminatedString || id == Id::UnterminatedCharacter ||
           id == Id::UnterminatedRawString || id == Id::UnterminatedComment;
}

bool concernsBrackets(Id id) {
    return id == Id::BracketNeverClosed || id == Id::BracketNotClosedBefore ||
           id == Id::BracketUnmatched || id == Id::DoubleBracketHalfClosed;
}

uint32_t indentation(source::Span span) {
    const std::string_view line = span.text->line(span.position().line);
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? 0 : static_cast<uint32_t>(first);
}

// The '{' whose '}' stands further left than its line begins: most likely its own '}' is missing.
const Token* likelyUnclosed(const TokenStream& stream) {
    for (const Token& closer : stream.tokens) {
        if (closer.raw != T::RBRACE || closer.dead || closer.match < 0) continue;
        const source::Span end{stream.text, closer.begin, closer.end};
        const Token& opener = stream.tokens[closer.match];
        const source::Span begin{stream.text, opener.begin, opener.end};
        const bool firstOnLine = end.position().column == indentation(end) + 1;
        if (firstOnLine && indentation(end) < indentation(begin)) return &opener;
    }
    return nullptr;
}

// Bytes in which errors may be consequences of one another.
struct Region {
    uint32_t begin;
    uint32_t end;
    bool isTold;  // one of its errors has been reported
};

class Damages {
public:
    explicit Damages(const TokenStream& stream) : stream_(stream) {
        findFunctions();
        for (const EarlyError& error : stream.errors) {
            if (isDead(stream, error)) continue;
            literalIsOpen_ = literalIsOpen_ || swallowsText(error.id);
            bracketIsWrong_ = bracketIsWrong_ || concernsBrackets(error.id);
        }
        for (const EarlyError& error : stream.errors)
            if (!isDead(stream, error)) regions_.push_back(regionOf(error));
        std::stable_sort(regions_.begin(), regions_.end(),
                         [](const Region& a, const Region& b) { return a.begin < b.begin; });
    }

    void enterEarlyErrors(diagnostics::Engine& found) {
        for (const EarlyError& error : stream_.errors)
            if (!isDead(stream_, error)) enter(error, found);
    }

    // Errors come in order of their place.
    bool isToBeTold(const Diagnostic& diagnostic) {
        if (diagnostic.severity != diagnostics::Severity::Error) return true;
        if (literalIsOpen_ && concernsBrackets(diagnostic.id)) return false;
        const uint32_t at = diagnostic.span.begin;
        const bool isCause = swallowsText(diagnostic.id) || isLocal(diagnostic.id);
        enterRegionsUpTo(at);
        if (!isCause && at < toldEnd_) return false;
        if (at < openEnd_) toldEnd_ = std::max(toldEnd_, openEnd_);
        return true;
    }

private:
    static bool isLocal(Id id) {
        return id == Id::StrayCharacter || id == Id::DoubleBracketHalfClosed;
    }

    // Outermost braces that are neither namespaces nor classes.
    void findFunctions() {
        for (std::size_t i = 0; i < stream_.tokens.size(); ++i) {
            const Token& token = stream_.tokens[i];
            const bool opens =
                token.raw == T::LBRACE && !token.dead && token.match > static_cast<int>(i);
            if (!opens || token.brace == Brace::Namespace || token.brace == Brace::Class) continue;
            functions_.push_back({token.begin, stream_.tokens[token.match].end});
            i = static_cast<std::size_t>(token.match);
        }
    }

    // The last function that begins before an offset.
    std::optional<ByteRange> functionBefore(uint32_t offset) const {
        const auto behind = std::upper_bound(
            functions_.begin(), functions_.end(), offset,
            [](uint32_t o, const ByteRange& function) { return o < function.begin; });
        if (behind == functions_.begin()) return std::nullopt;
        return *(behind - 1);
    }

    void enterRegionsUpTo(uint32_t offset) {
        for (; entered_ < regions_.size() && regions_[entered_].begin <= offset; ++entered_) {
            const Region& region = regions_[entered_];
            openEnd_ = std::max(openEnd_, region.end);
            if (region.isTold) toldEnd_ = std::max(toldEnd_, region.end);
        }
    }

    Region regionOf(const EarlyError& error) const {
        const uint32_t begin = error.span.begin;
        const std::optional<ByteRange> function = functionBefore(begin);
        if (swallowsText(error.id))
            return {
                begin,
                bracketIsWrong_ || !function ? endOfText : std::max(function->end, error.span.end),
                true};
        if (isLocal(error.id)) return {begin, lineEnd(begin), true};
        if (error.id == Id::BracketNeverClosed) return {begin, endOfText, false};
        if (error.id == Id::BracketNotClosedBefore) return {begin, error.end, false};
        return {function ? function->begin : 0, error.span.end, false};
    }

    uint32_t lineEnd(uint32_t offset) const {
        const std::size_t end = stream_.text->content().find('\n', offset);
        return end == std::string_view::npos ? endOfText : static_cast<uint32_t>(end);
    }

    void enter(const EarlyError& error, diagnostics::Engine& found) {
        const auto& a = error.arguments;
        diagnostics::Report report =
            a.empty()       ? found.report(error.id, error.span)
            : a.size() == 1 ? found.report(error.id, error.span, a[0])
                            : found.report(error.id, error.span, a[0], a[1], a[2], a[3]);
        if (error.id != Id::BracketNeverClosed || error.span.str() != "{") return;
        if (!std::exchange(isUnclosedKnown_, true)) unclosed_ = likelyUnclosed(stream_);
        if (unclosed_ != nullptr)
            report.note({stream_.text, unclosed_->begin, unclosed_->end},
                        "judging by the indentation, this '{' is the one that is not closed");
    }

    const TokenStream& stream_;
    std::vector<ByteRange> functions_;
    std::vector<Region> regions_;  // in the order of their beginnings
    std::size_t entered_ = 0;      // so many begin before the errors met so far,
    uint32_t openEnd_ = 0;         // and this is where the last of them ends;
    uint32_t toldEnd_ = 0;         // of those with an error reported
    bool isUnclosedKnown_ = false;
    const Token* unclosed_ = nullptr;  // found when first asked for
    bool literalIsOpen_ = false;
    bool bracketIsWrong_ = false;
};

}  // namespace

void reportDamages(const TokenStream& stream, const diagnostics::Engine& found,
                   diagnostics::Engine& engine) {
    Damages damages(stream);
    diagnostics::Engine all;  // at one place brackets come first: they are the cause
    damages.enterEarlyErrors(all);
    for (const Diagnostic& diagnostic : found.all()) all.adopt(diagnostic);
    all.sort();
    for (const Diagnostic& diagnostic : all.all())
        if (damages.isToBeTold(diagnostic)) engine.adopt(diagnostic);
}

}  // namespace hpcc::syntax
