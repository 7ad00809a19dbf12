// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/comments.hpp"

namespace hpcc::ast {
namespace {

// What stands between the children of the parsed form of a node, told to `tell` in order, those of
// the children at their places.
template <class Tell>
void forEachGap(NodePtr node, const Tell& tell) {
    const NodePtr shape = node->shape();
    uint32_t position = shape->span().begin;
    bool isLeaf = true;
    for (const NodePtr child : shape->children()) {
        if (!child) continue;
        isLeaf = false;
        if (child->span().begin > position)
            tell(shape, {shape->span().text, position, child->span().begin});
        forEachGap(child, tell);
        position = child->span().end;
    }
    if (!isLeaf && shape->span().end > position)
        tell(shape, {shape->span().text, position, shape->span().end});
}

}  // namespace

NodePtr commentsIn(Arena& arena, source::Span gap) {
    const std::string_view text = gap.str();
    std::string comments;
    size_t begin = 0;
    while ((begin = text.find('/', begin)) != std::string_view::npos) {
        const bool isLine = text.substr(begin).starts_with("//");
        size_t end = isLine ? text.find('\n', begin) : text.find("*/", begin);
        end = end == std::string_view::npos ? text.size() : end + (isLine ? 0 : 2);
        if (!comments.empty()) comments += '\n';
        comments += text.substr(begin, end - begin);
        begin = end;
    }
    if (comments.empty()) return nullptr;
    if (comments.back() == '\r') comments.pop_back();
    const source::Text& made = arena.text(std::move(comments));
    return arena.parsed(Kind::EmptyStatement, {&made, 0, made.size()}, {});
}

NodePtr commentsBetween(Arena& arena, NodePtr left, NodePtr right) {
    const source::Span before = left->shape()->span();
    const source::Span behind = right->shape()->span();
    if (before.text != behind.text || before.end >= behind.begin) return nullptr;
    return commentsIn(arena, {before.text, before.end, behind.begin});
}

std::vector<NodePtr> commentsInside(Arena& arena, NodePtr node) {
    std::vector<NodePtr> result;
    forEachGap(node, [&](NodePtr, source::Span gap) {
        if (const NodePtr comments = commentsIn(arena, gap)) result.push_back(comments);
    });
    return result;
}

bool holdsDirective(std::string_view text) {
    for (const std::string_view sign : {"#", "%:"})
        for (size_t hash = text.find(sign); hash != text.npos; hash = text.find(sign, hash + 1)) {
            const size_t before = hash == 0 ? text.npos : text.find_last_not_of(" \t", hash - 1);
            if (before == text.npos || text[before] == '\n') return true;
        }
    return false;
}

}  // namespace hpcc::ast
