// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/texts_in_front.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// What follows the # of a directive; nothing if it is none.
std::optional<std::string_view> directive(std::string_view text) {
    for (const std::string_view mark : {"#", "%:"})
        if (text.starts_with(mark)) {
            text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t", mark.size())));
            return text;
        }
    return std::nullopt;
}

/// Finds where words begin that stand in front of a declaration, macros mostly: behind the last
/// directive before them, and outside of an `#if` that ends before the declaration.
class Front {
public:
    explicit Front(source::Span gap) : gap_(gap), begin_(gap.begin) {
        const auto& ranges = gap.text->protectedRanges();
        uint32_t at = gap.begin;
        auto next = std::ranges::lower_bound(ranges, at, {}, &source::ByteRange::begin);
        for (; next != ranges.end() && next->end <= gap.end; ++next) {
            pass(at, next->begin);
            at = next->end;
            if (const auto words = directive(gap.text->slice(next->begin, at))) pass(*words, at);
        }
        pass(at, gap.end);
    }

    uint32_t begin() const { return begin_; }
    /// True if nothing in front belongs to the declaration, and nothing else stands on its line.
    bool isFree() const {
        const bool isFirst =
            begin_ == 0 || begin_ > gap_.begin || gap_.str().find('\n') != std::string_view::npos;
        return isBlank_ && isFirst;
    }

private:
    void pass(uint32_t from, uint32_t to) {
        if (!isBlank(gap_.text->slice(from, to))) isBlank_ = false;
    }
    void pass(std::string_view words, uint32_t behind) {
        if (words.starts_with("if")) open_.push_back(begin_);
        if (words.starts_with("endif") && !open_.empty()) {
            if (!isBlank_) begin_ = open_.back();
            open_.pop_back();
        }
        if (isBlank_) begin_ = behind;
    }

    const source::Span gap_;
    uint32_t begin_;
    bool isBlank_ = true;
    std::vector<uint32_t> open_;  // where each `#if` would have left it
};

}  // namespace

NodePtr withTextsInFront(Context& context, NodePtr unit, size_t k, NodePtr changed,
                         const std::vector<std::string>& lines) {
    const NodePtr whole = unit->shape();
    std::vector<NodePtr> shapes(whole->children().begin(), whole->children().end());
    std::vector<NodePtr> declarations(unit->children().begin(), unit->children().end());
    const NodePtr origin = declarations[k];
    std::vector<NodePtr> texts;
    const auto add = [&](const std::string& line) {
        const source::Text& made = context.arena.text(line);
        texts.push_back(
            context.arena.parsed(ast::Kind::OpaqueDeclaration, {&made, 0, made.size()}, {}));
    };
    if (shapes.size() == declarations.size()) {
        const source::Span place = shapes[k]->span();
        const Front front(
            {place.text, k == 0 ? whole->span().begin : shapes[k - 1]->span().end, place.begin});
        if (!front.isFree()) {
            add("");  // ends the line
            shapes[k] = context.arena.parsed(ast::Kind::TranslationUnit,
                                             {place.text, front.begin(), place.end}, {shapes[k]});
            changed = context.arena.rebuilt(shapes[k], origin, std::array{changed});
        }
    }
    for (const std::string& line : lines) add(line);
    texts.push_back(changed);
    declarations[k] = ast::sequence(context.arena, texts, origin);
    const NodePtr shape = context.arena.parsed(whole->kind(), whole->span(), shapes);
    return context.arena.rebuilt(shape, unit, declarations);
}

}  // namespace hpcc::nests
