// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/tree_builder.hpp"

#include <algorithm>

#include "syntax/token.hpp"

namespace hpcc::syntax {

using ast::Kind;

source::Span TreeBuilder::span(const Location& location) const {
    if (location.first < 0) return {stream_.text, 0, 0};
    return {stream_.text, stream_.tokens[location.first].begin, stream_.tokens[location.last].end};
}

namespace {

bool isAttribute(const Token& token) {
    return token.dead && (token.raw == T::HPSPMD_ATTRIBUTE || token.raw == T::ATTRIBUTE_WORD);
}

bool isBehindDirective(const TokenStream& stream, int token) {
    const auto next =
        std::ranges::lower_bound(stream.directives, stream.tokens[token - 1].end, {},
                                 [](const Directive& directive) { return directive.span.begin; });
    return next != stream.directives.end() && next->span.begin < stream.tokens[token].begin;
}

// True if a node of this kind begins with the attributes in front of it. Lists in braces begin with
// the brace; what is replaced as a whole leaves its attributes to what takes its place.
bool takesAttributes(Kind kind) {
    switch (kind) {
    case Kind::Compound:
    case Kind::Attributed:
    case Kind::On:
    case Kind::At:
    case Kind::Overall:
        return false;
    default:
        return ast::categoryOf(kind) == ast::Category::Statement ||
               ast::categoryOf(kind) == ast::Category::Declaration;
    }
}

// All of it: not (a)(b), nor (a) b.
bool isInParentheses(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    if (end < begin + 2) return false;
    int depth = 0;
    for (std::size_t i = begin; i < end; ++i) {
        depth += (tokens[i].raw == T::LPAREN) - (tokens[i].raw == T::RPAREN);
        if (depth <= 0) return i + 1 == end && tokens[i].raw == T::RPAREN;
    }
    return false;
}

}  // namespace

NodePtr TreeBuilder::node(Kind kind, const Location& location,
                          std::initializer_list<NodePtr> children) {
    Location whole = location;
    const auto& tokens = stream_.tokens;
    if (whole.first > 0 && isAttribute(tokens[whole.first - 1]) && takesAttributes(kind))
        while (whole.first > 0 && isAttribute(tokens[whole.first - 1]) &&
               !isBehindDirective(stream_, whole.first))
            --whole.first;
    return arena_.parsed(kind, span(whole), children);
}

NodePtr TreeBuilder::opaqueBehind(Kind kind, const Location& understood, const Location& damaged) {
    source::Span rest = span(damaged);
    if (understood.first >= 0) rest.begin = std::max(rest.begin, span(understood).end);
    rest.end = std::max(rest.begin, rest.end);
    return arena_.parsed(kind, rest, {});
}

NodeList* TreeBuilder::list() {
    if (freeLists_.empty()) return &lists_.emplace_back();
    NodeList* list = freeLists_.back();
    freeLists_.pop_back();
    return list;
}

NodeList* TreeBuilder::list(NodePtr first) { return append(list(), first); }

NodeList* TreeBuilder::append(NodeList* list, NodePtr node) {
    list->push_back(node);
    return list;
}

NodeList* TreeBuilder::join(NodeList* list, NodePtr middle, NodeList* tail) {
    list->push_back(middle);
    list->insert(list->end(), tail->begin(), tail->end());
    tail->clear();
    freeLists_.push_back(tail);
    return list;
}

NodeList* TreeBuilder::appendStatement(NodeList* list, NodePtr node) {
    if (node->depth() > deepestTree) {
        const bool statement = node->category() == ast::Category::Statement;
        node = arena_.parsed(statement ? Kind::OpaqueStatement : Kind::OpaqueDeclaration,
                             node->span(), {});
    }
    return append(list, node);
}

NodePtr TreeBuilder::finish(Kind kind, const Location& location, NodeList* list) {
    const NodePtr node = arena_.parsed(kind, span(location), std::span(list->data(), list->size()));
    list->clear();
    freeLists_.push_back(list);
    return node;
}

NodePtr TreeBuilder::optionalList(Kind kind, const Location& location, NodeList* list) {
    if (!list->empty()) return finish(kind, location, list);
    freeLists_.push_back(list);
    return nullptr;
}

// hpspmd::refreshes(a), or a foreign one
NodePtr TreeBuilder::attribute(const std::vector<Token>& tokens, std::size_t begin,
                               std::size_t end) {
    const auto spanOf = [&](std::size_t from, std::size_t to) {
        return source::Span{stream_.text, tokens[from].begin, tokens[to - 1].end};
    };
    const bool ours =
        tokens[begin].name == wordHpspmd && end - begin >= 3 && tokens[begin + 1].raw == T::SCOPE;
    if (!ours) return arena_.parsed(Kind::ForeignAttribute, spanOf(begin, end), {});
    const NodePtr name = arena_.parsed(Kind::Identifier, spanOf(begin + 2, begin + 3), {});
    NodePtr arguments = nullptr;
    if (isInParentheses(tokens, begin + 3, end)) {
        NodeList names;
        for (std::size_t i = begin + 4; i + 1 < end; ++i)
            if (tokens[i].raw == T::IDENT)
                names.push_back(arena_.parsed(Kind::Identifier, spanOf(i, i + 1), {}));
        arguments = arena_.parsed(Kind::Arguments, spanOf(begin + 3, end),
                                  std::span(names.data(), names.size()));
    }
    return arena_.parsed(Kind::HpspmdAttribute, spanOf(begin, end), {name, arguments});
}

NodePtr TreeBuilder::hpspmdAttributes(const Location& location) {
    const auto& tokens = stream_.attributes[stream_.tokens[location.first].match];
    NodeList* attributes = list();
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= tokens.size(); ++i) {
        const bool ends = i == tokens.size() || (depth == 0 && tokens[i].raw == T::COMMA);
        if (ends && i > begin) attributes->push_back(attribute(tokens, begin, i));
        if (ends) begin = i + 1;
        if (i < tokens.size()) depth += (tokens[i].raw == T::LPAREN) - (tokens[i].raw == T::RPAREN);
    }
    return finish(Kind::HpspmdAttributes, location, attributes);
}

// class T = int, typename... Ts, template <class> class C, int N = 3, Concept C
NodePtr TreeBuilder::templateParameter(int begin, int end) {
    const auto& tokens = stream_.tokens;
    int defaultValue = begin;
    int depth = 0;
    for (; defaultValue < end && !(depth == 0 && tokens[defaultValue].raw == T::ASSIGN);
         ++defaultValue)
        depth += (tokens[defaultValue].raw == T::LESS) - (tokens[defaultValue].raw == T::GREATER);
    const int last = defaultValue - 1;
    const int before = last > begin ? tokens[last - 1].raw : -1;
    const bool named = tokens[last].raw == T::IDENT && last > begin && before != T::SCOPE;
    const int first = tokens[begin].raw;
    const bool isType =
        first == T::TYPENAME ? before != T::SCOPE : first == T::CLASS_KEY || first == T::TEMPLATE;
    const NodePtr name = named ? leaf(Kind::Identifier, {last, last}) : nullptr;
    return node(isType ? Kind::TypeParameter : Kind::ValueParameter, {begin, end - 1}, {name});
}

NodePtr TreeBuilder::templateParameters(const Location& location) {
    NodeList* parameters = list();
    const auto& tokens = stream_.tokens;
    int depth = 0, begin = location.first + 1;
    for (int i = begin; i <= location.last; ++i) {
        if (depth == 0 && (i == location.last || tokens[i].raw == T::COMMA)) {
            if (i > begin) parameters->push_back(templateParameter(begin, i));
            begin = i + 1;
        }
        const int raw = tokens[i].raw;
        const bool opens =
            raw == T::LESS || raw == T::LPAREN || raw == T::LBRACKET || raw == T::LBRACE;
        const bool closes =
            raw == T::GREATER || raw == T::RPAREN || raw == T::RBRACKET || raw == T::RBRACE;
        depth += opens - closes;
    }
    return finish(Kind::TemplateParameters, location, parameters);
}

}  // namespace hpcc::syntax
