// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The uniform rendering of trees: the source bytes of a node's shape between its children,
// verbatim, and each child at its place. A subtree that no pass replaced is therefore copied byte
// for byte.
#pragma once

#include "ast/node.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace hpcc::ast {

struct Unit;

// What joins the elements of a list that a pass has lengthened or made: ", " or, between
// statements, a newline.
std::string_view jointOf(Kind list);

// The text of a list's shape before its first and behind its last element.
std::pair<source::Span, source::Span> listEnds(NodePtr shape);

// A body with lines of the preprocessor before it or in it, which has no braces in the text.
inline bool lacksBraces(NodePtr node) {
    if (!node->is<Compound>()) return false;
    const std::string_view text = node->text();
    return !text.starts_with('{') && !text.starts_with("<%");
}

// Its own ones: { and, behind the line of #endif, }.
source::Span openingBrace();
source::Span closingBrace();

// What forEachPiece tells, without the braces of a block that lacks them.
template <class Handler>
void forEachOwnPiece(NodePtr node, Handler& handler) {
    const NodePtr shape = node->shape();
    const auto children = node->children();
    const auto places = shape->children();
    if (children.size() != places.size()) {
        const auto [before, behind] = listEnds(shape);
        if (before.begin != before.end) handler.gap(before);
        bool first = true;
        for (const NodePtr child : children) {
            if (!child) continue;
            if (!first) handler.joint(jointOf(node->kind()));
            first = false;
            handler.child(child);
        }
        if (behind.begin != behind.end) handler.gap(behind);
        return;
    }
    const source::Span whole = shape->span();
    uint32_t position = whole.begin;
    for (std::size_t slot = 0; slot < children.size(); ++slot) {
        const NodePtr place = places[slot];
        if (!place || (children[slot] == place && handler.keeps(place))) continue;
        const source::Span old = place->span();
        if (old.begin > position) handler.gap({whole.text, position, old.begin});
        if (children[slot]) handler.child(children[slot]);
        position = old.end;
    }
    if (whole.end > position) handler.gap({whole.text, position, whole.end});
}

// The pieces of a node in printing order, told to `handler`: gap(source::Span) gets verbatim source
// bytes, joint(std::string_view) what joins elements, child(NodePtr) the rest. A child for which
// keeps(NodePtr) is true and that stands where it was parsed counts as part of the gap.
template <class Handler>
void forEachPiece(NodePtr node, Handler& handler) {
    if (lacksBraces(node)) {
        handler.gap(openingBrace());
        forEachOwnPiece(node, handler);
        handler.gap(closingBrace());
    } else {
        forEachOwnPiece(node, handler);
    }
}

// Plain rendering, without #line and re-indentation (those belong to emit/).
std::string print(NodePtr node);
void print(NodePtr node, std::string& out);

// The same of an expression, without white space that says nothing; `this->` for all of its forms.
std::string compact(NodePtr expression);

// The string literal that tells a text of the program, on one line.
std::string stringLiteral(std::string_view text);

// S-expression for --emit=parsed and golden tests: one statement or declaration per line, leaves as
// their text:
//     (Overall (OverallHeaders (OverallHeader i x (Triplet 1 _ _)))
//       ...)
// A null child prints as _. Once check has run, what has a type shows it: a{double [[-]]}.
std::string printTree(const Unit& unit);
std::string printTree(NodePtr node);

}  // namespace hpcc::ast
