// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser: the tree prints as its text, whole and in pieces, and messages lie in the text.
#include "ast/pieces.hpp"
#include "ast/print.hpp"
#include "harness.hpp"
#include "syntax/parse.hpp"

namespace hpcc::fuzz {

const Mix mix{8, 1};

Reached examine(const std::string& input) {
    const source::Text text("input.hpcpp", input);
    diagnostics::Engine engine;
    const ast::Unit unit = syntax::parse(text, engine);
    requirePlaced(engine, text);
    requireNested(unit.root);
    require(ast::print(unit.root) == input, "a tree prints as its text");
    std::string pieces;
    for (const ast::NodePtr piece : ast::piecesOf(*unit.arena, unit.root))
        ast::print(piece, pieces);
    require(pieces == input, "the pieces of a tree print as its text");
    return engine.hasErrors() ? Reached::Tokens : Reached::Tree;
}

}  // namespace hpcc::fuzz
