// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/same_words.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ast/type.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// The words of a type but `const` and `&`.
std::string bare(std::string words) {
    for (const std::string_view each : {"const", "&", " "})
        for (size_t at = words.find(each); at != words.npos; at = words.find(each))
            words.erase(at, each.size());
    return words;
}

}  // namespace

bool isSameNumber(const ast::Type* a, const ast::Type* b) {
    if (!a || !b || a->kind != b->kind) return false;
    if (a->kind == ast::TypeKind::Integer) return a->number.bits > 0 && a->number == b->number;
    return a->kind == ast::TypeKind::Floating && bare(a->spelled) == bare(b->spelled);
}

bool areAlike(NodePtr made, NodePtr as) {
    if (!made || !as) return made == as;
    return made->kind() == as->kind() &&
           std::ranges::equal(made->children(), as->children(), areAlike);
}

NodePtr copyAt(ast::Arena& arena, NodePtr origin, NodePtr made, NodePtr as) {
    if (!made) return nullptr;
    std::vector<NodePtr> children;
    for (size_t k = 0; k < made->children().size(); ++k)
        children.push_back(copyAt(arena, origin, made->children()[k], as->children()[k]));
    const NodePtr copy = arena.rebuilt(made, origin, children);
    copy->type = as->type;
    copy->symbol = as->symbol;
    return copy;
}

}  // namespace hpcc::nests
