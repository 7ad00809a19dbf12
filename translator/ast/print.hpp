// The uniform rendering of trees: the source bytes of a node's shape between its children,
// verbatim, and each child at its place. A subtree that no pass replaced is therefore copied byte
// for byte.
#pragma once

#include "ast/node.hpp"

#include <functional>
#include <string>

namespace hpcc::ast {

struct Unit;

// The pieces of a node in printing order. `gap` gets verbatim source bytes, or (text == null) text
// that joins the elements of a list that a pass has lengthened or made: ", " or, between
// statements, a newline.
struct PieceHandler {
    std::function<void(source::Span gap)> onGap;
    std::function<void(std::string_view joint)> onJoint;
    std::function<void(NodePtr child)> onChild;
};
void forEachPiece(NodePtr node, const PieceHandler& handler);

// Plain rendering, without #line and re-indentation (those belong to emit/).
std::string print(NodePtr node);
void print(NodePtr node, std::string& out);

// S-expression for --emit=parsed and golden tests: one statement or declaration per line, leaves as
// their text:
//     (Overall (OverallHeaders (OverallHeader i x (Triplet 1 _ _)))
//       ...)
// A null child prints as _. Once check has run, what has a type shows it: a{double [[-]]}.
std::string printTree(const Unit& unit);
std::string printTree(NodePtr node);

}  // namespace hpcc::ast
