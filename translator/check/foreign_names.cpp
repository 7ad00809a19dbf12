// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/foreign_names.hpp"

#include "check/words.hpp"

#include <algorithm>
#include <cctype>

namespace hpcc::check {
namespace {

// The name at the front of `text`, which is cut off.
std::string_view takeName(std::string_view& text) {
    while (!text.empty() && !isWordCharacter(text.front())) text.remove_prefix(1);
    std::size_t length = 0;
    while (length < text.size() && isWordCharacter(text[length])) ++length;
    const std::string_view name = text.substr(0, length);
    text.remove_prefix(length);
    return name;
}

// ROW_OF may come from any header; I and J are more likely indices.
bool looksLikeMacro(std::string_view name) {
    const auto isLower = [](unsigned char c) { return std::islower(c) != 0; };
    return name.size() > 1 && std::ranges::none_of(name, isLower);
}

}  // namespace

bool ForeignNames::mayDeclare(std::string_view name) const {
    if (looksLikeMacro(name)) return true;
    if (!isCollected_) collect();
    return names_.contains(name);
}

bool ForeignNames::mayOverload(std::string_view op) const {
    if (!areOperatorsCollected_) collectOperators(unit_);
    areOperatorsCollected_ = true;
    return operators_.contains(std::string(op));
}

void ForeignNames::collectOperators(const ast::Unit& unit) const {
    constexpr std::string_view word = "operator";
    const std::string_view text = unit.text ? unit.text->content() : std::string_view();
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        std::string op;
        for (const char c : text.substr(at + word.size(), 8)) {
            if (c == '(' && !op.empty()) break;
            if (c != ' ') op += c;
        }
        operators_.insert(op);
    }
    for (const ast::Unit* import : unit.imports)
        if (import) collectOperators(*import);
}

void ForeignNames::collect() const {
    isCollected_ = true;
    collectMacros();
    collectOpaque(unit_.root);
}

void ForeignNames::collectMacros() const {
    constexpr std::string_view word = "define";
    const std::string_view text = unit_.text ? unit_.text->content() : std::string_view();
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        std::string_view rest = text.substr(at + word.size());
        names_.insert(takeName(rest));
    }
}

void ForeignNames::collectOpaque(ast::NodePtr node) const {
    if (!node) return;
    ast::NodePtr opaque = nullptr;
    if (node->is<ast::OpaqueDeclaration>() || node->is<ast::OpaqueStatement>()) opaque = node;
    if (node->is<ast::MacroStatement>()) opaque = node->child(ast::MacroStatement::head);
    for (std::string_view rest = opaque ? opaque->text() : ""; !rest.empty();)
        names_.insert(takeName(rest));
    for (ast::NodePtr child : node->children()) collectOpaque(child);
}

}  // namespace hpcc::check
