// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/print.hpp"

#include <algorithm>
#include <cctype>

#include "ast/type.hpp"
#include "ast/unit.hpp"

namespace hpcc::ast {
namespace {

bool holdsStatements(Kind kind) {
    return kind == Kind::Sequence || kind == Kind::Compound || kind == Kind::Members ||
           kind == Kind::TranslationUnit;
}

// Where the text of a list splits into the part before its elements and the part behind: after "(",
// "[[", "{" ..
uint32_t openerLength(std::string_view text) {
    if (text.starts_with("[[")) return 2;
    return text.empty() || std::string_view("([{<").find(text.front()) == text.npos ? 0 : 1;
}

struct Appender {
    std::string& out;
    void gap(source::Span gap) { out += gap.str(); }
    void joint(std::string_view joint) { out += joint; }
    void child(NodePtr child) { print(child, out); }
    static bool keeps(NodePtr) { return true; }
};

}  // namespace

std::string_view jointOf(Kind list) {
    if (holdsStatements(list)) return "\n";
    if (list == Kind::SpecifierList || list == Kind::PointerOperators ||
        list == Kind::FunctionQualifiers || list == Kind::Handlers)
        return " ";
    return ", ";
}

std::pair<source::Span, source::Span> listEnds(NodePtr shape) {
    const source::Span whole = shape->span();
    uint32_t begin = whole.begin + openerLength(shape->text());
    uint32_t end = begin;
    if (!shape->children().empty()) {
        begin = shape->children().front()->span().begin;
        end = shape->children().back()->span().end;
    }
    return {{whole.text, whole.begin, begin}, {whole.text, end, whole.end}};
}

source::Span openingBrace() {
    static const source::Text brace("", "{\n");
    return {&brace, 0, brace.size()};
}

source::Span closingBrace() {
    static const source::Text brace("", "\n}");
    return {&brace, 0, brace.size()};
}

void print(NodePtr node, std::string& out) {
    if (node->isParsed() && !lacksBraces(node)) {
        out += node->text();
        return;
    }
    Appender appender{out};
    forEachPiece(node, appender);
}

std::string print(NodePtr node) {
    std::string out;
    print(node, out);
    return out;
}

namespace {

bool standsOnOwnLine(NodePtr node) { return isStatement(node) || node->is<Members>(); }

// A leaf's text on one line: white space runs become one blank, long texts are cut.
std::string shortText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out.size() <= 60 ? out : out.substr(0, 57) + "...";
}

// What check found out, for --emit=checked; nothing before it has run.
std::string typeMark(NodePtr node) {
    const bool isKnown = node->type && node->type->kind != TypeKind::Unknown;
    return isKnown ? "{" + node->type->spelled + "}" : std::string();
}

void printTree(NodePtr node, int indent, std::string& out) {
    if (!node) {
        out += '_';
        return;
    }
    if (arityOf(node->kind()) == Arity::Leaf) {
        const bool plain = node->is<Identifier>() || node->is<NumberLiteral>() ||
                           node->is<Operator>() || node->is<BuiltinType>() || node->is<Specifier>();
        out += plain ? shortText(node->text())
                     : std::string(kindName(node->kind())) + "'" + shortText(node->text()) + "'";
        out += typeMark(node);
        return;
    }
    out += '(';
    out += kindName(node->kind());
    out += typeMark(node);
    for (NodePtr child : node->children()) {
        if (child && standsOnOwnLine(child)) {
            out += '\n';
            out.append(static_cast<std::size_t>(indent) + 2, ' ');
            printTree(child, indent + 2, out);
        } else {
            out += ' ';
            printTree(child, indent, out);
        }
    }
    out += ')';
}

}  // namespace

std::string compact(NodePtr expression) {
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    std::string result;
    bool isSpace = false;
    for (const char c : print(expression)) {
        if (std::isspace(static_cast<unsigned char>(c))) {
            isSpace = true;
            continue;
        }
        if (isSpace && !result.empty() && isWord(result.back()) && isWord(c)) result += ' ';
        isSpace = false;
        result += c;
    }
    constexpr std::string_view object = "(*this).";
    return result.starts_with(object) ? "this->" + result.substr(object.size()) : result;
}

std::string stringLiteral(std::string_view text) {
    std::string result = "\"";
    for (std::size_t k = 0; k < text.size(); ++k) {
        const bool endsLine = text[k] == '\n';
        if (endsLine) k = std::min(text.find_first_not_of(" \t\r\n", k), text.size()) - 1;
        if (!endsLine && (text[k] == '"' || text[k] == '\\')) result += '\\';
        result += endsLine ? ' ' : text[k];
    }
    return result + '"';
}

std::string printTree(NodePtr node) {
    std::string out;
    printTree(node, 0, out);
    return out + "\n";
}

std::string printTree(const Unit& unit) { return printTree(unit.root); }

}  // namespace hpcc::ast
