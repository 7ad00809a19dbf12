// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/emitter.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "ast/macro_names.hpp"
#include "ast/print.hpp"
#include "emit/layout.hpp"

namespace hpcc::emit {

using ast::NodePtr;

class Emitter::Printer {
public:
    explicit Printer(const ast::Unit& unit)
        : file_(*unit.text),
          macros_(unit.whole->macros()),
          hidesLibrary_(std::ranges::any_of(
                            unit.imports,
                            [](const ast::Unit* each) { return each->whole->hidesLibrary(); }) ||
                        unit.whole->hidesLibrary()),
          directives_(directivesOf(*unit.text)),
          isCopied_(directives_.size(), false),
          position_{unit.text, 0, 0} {}

    void printPiece(NodePtr piece) {
        lastOrigin_ = nullptr;  // nodes of the last piece may be gone
        const source::Span span = piece->shape()->span();
        position_ = {span.text, span.begin, span.begin};
        print(piece);
    }

    Layout& layout() { return layout_; }

    const std::vector<source::Span>& directives() const { return directives_; }
    bool isCopied(std::size_t directive) const { return isCopied_[directive]; }

private:
    static std::vector<source::Span> directivesOf(const source::Text& text) {
        std::vector<source::Span> directives;
        for (const source::ByteRange range : text.protectedRanges()) {
            const source::Span span{&text, range.begin, range.end};
            if (span.str().starts_with('#') || span.str().starts_with("%:"))
                directives.push_back(span);
        }
        return directives;
    }

    void noteCopied(source::Span gap) {
        auto next = std::ranges::lower_bound(directives_, gap.begin, {}, &source::Span::begin);
        for (; next != directives_.end() && next->end <= gap.end; ++next)
            isCopied_[static_cast<std::size_t>(next - directives_.begin())] = true;
    }

    void print(NodePtr node) {
        const source::Span span = node->shape()->span();
        const bool moved = !(span.text == position_.text && span.begin == position_.begin);
        if (moved) layout_.enter(*span.text, node->is<ast::Compound>() ? closer(span) : span.begin);
        const bool macro = node->is<ast::Call>() && macros_.mayBeMacro(node);
        if (macro) layout_.enterMacro();
        const bool isApart = node == apart_;
        if (isApart) layout_.copySchema({&brackets_, 0, 1}, lineOf(node));
        printPieces(node);
        if (isApart) layout_.copySchema({&brackets_, 1, 2}, lineOf(node));
        if (macro) layout_.leaveMacro();
        if (moved) layout_.leave();
        position_ = {span.text, span.end, span.end};
    }

    /// Where the indentation of a block is read off: its closing brace, if that stands first on its
    /// line (the opening one may stand behind a head of several lines), else its start.
    static uint32_t closer(source::Span block) {
        const uint32_t brace = block.end - 1;
        const source::Position place = block.text->position(brace);
        const std::string_view before = block.text->slice(brace - (place.column - 1), brace);
        const bool isFirst = before.find_first_not_of(" \t") == std::string_view::npos;
        return isFirst && brace > block.begin ? brace : block.begin;
    }

    void printPieces(NodePtr node) {
        if (node->is<ast::Sequence>()) return printSequence(node);
        const source::Span span = node->shape()->span();
        position_ = {span.text, span.begin, span.begin};
        // No pass replaced anything in a parsed node.
        const bool isAsParsed =
            node->isParsed() || (node->children().empty() && node->shape()->children().empty());
        if (isAsParsed && !ast::lacksBraces(node)) return copy(span, node);
        Pieces pieces{*this, node, node->children().size() != node->shape()->children().size()};
        ast::forEachPiece(node, pieces);
    }

    /// What to do with the pieces of a node.
    struct Pieces {
        Printer& printer;
        NodePtr node;
        bool grown;
        int indent = -1;  // of the elements of a list: where the first one stands

        void gap(source::Span gap) { printer.copy(gap, node); }
        void joint(std::string_view joint) { printer.join(joint, indent, node); }
        void child(NodePtr child) {
            if (grown && indent < 0) indent = printer.layout_.statementIndent();
            if (node->is<ast::InitDeclarator>() && readsAsParameters(child))
                printer.apart_ = child->child(0);
            printer.print(child);
        }
        static bool keeps(NodePtr child) { return !child->is<ast::Call>(); }
    };

    /// True if a C++ compiler reads initializing arguments as parameters: `v(float(a_data[k]))`,
    /// made from `v(float(a[i, k]))`, would declare a function.
    static bool readsAsParameters(NodePtr arguments) {
        if (!ast::is<ast::Arguments>(arguments) || arguments->children().empty()) return false;
        return std::ranges::all_of(arguments->children(), [](NodePtr each) {
            if (!each->is<ast::FunctionalCast>()) return false;
            NodePtr value = each->child(ast::FunctionalCast::arguments);
            if (!value->is<ast::Arguments>() || value->children().size() != 1) return false;
            value = value->child(0);
            while (value->is<ast::Subscript>()) value = value->child(ast::Subscript::base);
            return value->is<ast::Identifier>();
        });
    }

    void printSequence(NodePtr node) {
        const int indent = layout_.statementIndent();
        bool first = true;
        for (const NodePtr statement : node->children()) {
            if (!first) layout_.startStatement(indent);
            first = false;
            print(statement);
        }
    }

    void join(std::string_view joint, int indent, NodePtr node) {
        if (joint == "\n") return layout_.startStatement(indent);
        const source::Text& text = joint == ", " ? comma_ : blank_;
        layout_.copySchema({&text, 0, text.size()}, lineOf(node));
    }

    void copy(source::Span gap, NodePtr node) {
        if (gap.text == &file_) {
            noteCopied(gap);
            layout_.copyUser(gap);
        } else {
            layout_.copySchema(hidesLibrary_ ? qualified(gap) : gap, lineOf(node));
        }
        position_ = {gap.text, gap.end, gap.end};
    }

    /// Made text, with `::hpspmd` for `hpspmd`.
    source::Span qualified(source::Span made) {
        constexpr std::string_view library = "hpspmd";
        std::string text(made.str());
        for (size_t at = 0; (at = text.find(library, at)) != text.npos; at += library.size())
            if (at == 0 ||
                std::string_view(" (<,&*!{[\n").find(text[at - 1]) != std::string_view::npos) {
                text.insert(at, "::");
                at += 2;
            }
        const source::Text& kept = qualified_.emplace_back("", std::move(text));
        return {&kept, 0, kept.size()};
    }

    /// The line of the user's file that `node` was made from. Neighbours mostly have one origin.
    uint32_t lineOf(NodePtr node) {
        const NodePtr origin = node->origin();
        if (origin == lastOrigin_) return lastLine_;
        const source::Span span = origin->span();
        lastOrigin_ = origin;
        return lastLine_ = span.text == &file_ ? layout_.lineOf(file_, span.begin) : 0;
    }

    const source::Text& file_;
    const source::Text comma_{"", ", "};
    const source::Text blank_{"", " "};
    const source::Text brackets_{"", "()"};
    const ast::MacroNames& macros_;
    const bool hidesLibrary_;  // the program has another hpspmd
    std::deque<source::Text> qualified_;
    Layout layout_;
    NodePtr lastOrigin_ = nullptr;
    uint32_t lastLine_ = 0;
    const std::vector<source::Span> directives_;
    std::vector<bool> isCopied_;  // of each directive
    NodePtr apart_ = nullptr;     // an argument that gets parentheses
    source::Span position_;  // where the bytes copied last ended: what starts here did not move
};

Emitter::Emitter(const ast::Unit& unit, const Options& options)
    : options_(options), file_(*unit.text), printer_(std::make_unique<Printer>(unit)) {}

Emitter::~Emitter() = default;

void Emitter::expect(size_t bytes) { printer_->layout().expect(bytes); }

void Emitter::add(NodePtr piece) { printer_->printPiece(piece); }

std::string Emitter::text(const std::deque<Emitter>& emitters) {
    std::vector<const Layout*> layouts;
    for (const Emitter& emitter : emitters) layouts.push_back(&emitter.printer_->layout());
    const Emitter& first = emitters.front();
    return first.options_.lineDirectives ? Layout::text(layouts, first.file_.path())
                                         : Layout::text(layouts);
}

std::vector<source::Span> Emitter::lostDirectives(const std::deque<Emitter>& emitters) {
    std::vector<source::Span> lost;
    const std::vector<source::Span>& all = emitters.front().printer_->directives();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (std::ranges::none_of(emitters,
                                 [&](const Emitter& each) { return each.printer_->isCopied(k); }))
            lost.push_back(all[k]);
    return lost;
}

std::string emit(const ast::Unit& unit, const Options& options) {
    if (!unit.hasExtensions) return std::string(unit.text->content());
    std::deque<Emitter> emitters;
    emitters.emplace_back(unit, options).add(unit.root);
    return Emitter::text(emitters);
}

}  // namespace hpcc::emit
