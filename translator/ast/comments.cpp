#include "ast/comments.hpp"

#include <algorithm>

namespace hpcc::ast {

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

bool holdsDirective(std::string_view text) {
    for (size_t hash = text.find('#'); hash != text.npos; hash = text.find('#', hash + 1)) {
        const size_t before = hash == 0 ? text.npos : text.find_last_not_of(" \t", hash - 1);
        if (before == text.npos || text[before] == '\n') return true;
    }
    return false;
}

}  // namespace hpcc::ast
