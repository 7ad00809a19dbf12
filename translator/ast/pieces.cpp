// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/pieces.hpp"

namespace hpcc::ast {

std::vector<NodePtr> piecesOf(Arena& arena, NodePtr unit) {
    if (unit->children().empty()) return {unit};
    std::vector<NodePtr> pieces;
    source::Span rest = unit->span();
    for (const NodePtr declaration : unit->children()) {
        const bool isLast = declaration == unit->children().back();
        const uint32_t end = isLast ? rest.end : declaration->span().end;
        pieces.push_back(
            arena.parsed(Kind::TranslationUnit, {rest.text, rest.begin, end}, {declaration}));
        rest.begin = end;
    }
    return pieces;
}

}  // namespace hpcc::ast
