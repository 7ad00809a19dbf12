// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/bind_arrays.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "pretranslate/members.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

/// By their text.
using Members = std::map<std::string, NodePtr>;
/// By the text of the member, the name of its copy.
using Copies = Members;

/// The text of a member; `this->u` is `u`.
std::string textOf(NodePtr member) {
    const std::string text = ast::compact(member);
    return text.starts_with("this->") ? text.substr(6) : text;
}

/// A copy in a variable of the nest can be named in it, unless it captures by name.
bool capturesAll(NodePtr lambda) {
    return std::ranges::any_of(
        lambda->child(ast::Lambda::captures)->children(),
        [](NodePtr capture) { return ast::is<ast::DefaultCapture>(capture); });
}

/// Renames the arrays whose elements are named.
class Renaming : public ast::Rewriter {
public:
    Renaming(ast::Arena& arena, const Copies& copies)
        : Rewriter(arena, ast::subscript), copies_(copies) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        const NodePtr result = rewriteChildren(node);
        const NodePtr base = node->child(ast::Subscript::base);
        const auto copy = copies_.find(textOf(base));
        if (copy == copies_.end() || !ast::multiarrayType(base)) return result;
        const NodePtr name = ast::identifier(arena(), std::string(copy->second->text()), base);
        name->type = copy->second->type;
        name->symbol = copy->second->symbol;
        return ast::withChild(arena(), result, ast::Subscript::base, name);
    }
    NodePtr rewriteLambda(NodePtr node) override {
        return capturesAll(node) ? rewriteChildren(node) : node;
    }
    NodePtr rewriteClass(NodePtr node) override { return node; }

private:
    const Copies& copies_;
};

class ArrayBinder : public ast::Rewriter {
public:
    ArrayBinder(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names)
        : Rewriter(arena, ast::extension), quote_(quote), names_(names) {}

    NodePtr rewriteOverall(NodePtr overall) override { return bound(overall, overall); }
    NodePtr rewriteAttributed(NodePtr node) override {
        const NodePtr overall = node->child(ast::Attributed::declaration);
        return ast::is<ast::Overall>(overall) ? bound(overall, node) : rewriteChildren(node);
    }

private:
    /// `statement`: the nest with its attributes.
    NodePtr bound(NodePtr overall, NodePtr statement) {
        const Copies copies = copiesFor(overall);
        if (copies.empty()) return statement;
        std::vector<NodePtr> statements;
        for (const auto& [text, name] : copies)
            statements.push_back(
                quote_.statement(arena(), "const auto $copy = $member;",
                                 {{"$copy", name}, {"$member", ast::copy(arena(), name->origin())}},
                                 name->origin()));
        statements.push_back(Renaming(arena(), copies).rewrite(statement));
        for (const auto& [text, name] : copies)
            statements.push_back(quote_.statement(
                arena(), "hpspmd::detail::checkSame($member, $copy, $text);",
                {{"$member", ast::copy(arena(), name->origin())},
                 {"$copy", ast::copy(arena(), name)},
                 {"$text", ast::identifier(arena(), ast::stringLiteral(text), name->origin())}},
                name->origin()));
        return quote_.statement(arena(),
                                "{\n"
                                "    $statements;\n"
                                "}",
                                {{"$statements", statements}}, overall);
    }

    Copies copiesFor(NodePtr overall) {
        Copies copies;
        if (!overall->contains(ast::subscript)) return copies;
        const ast::Effects effects = ast::effectsOf(overall);
        // Under an `#if` stand perhaps members that are not there.
        if (!analysis::mayAssignByCalls(effects) || ast::holdsDirective(overall->text()))
            return copies;
        Members members;
        noteMembers(overall, members);
        ast::FreshNames::Given given;
        for (const auto& [text, member] : members)
            if (mayBeAssigned(member, effects)) copies.emplace(text, copyOf(member, given));
        return copies;
    }

    static void noteMembers(NodePtr node, Members& members) {
        if (ast::is<ast::Class>(node) || (ast::is<ast::Lambda>(node) && !capturesAll(node))) return;
        if (ast::is<ast::Subscript>(node))
            if (const NodePtr base = node->child(ast::Subscript::base); ast::multiarrayType(base))
                members.emplace(textOf(base), base);
        for (const NodePtr child : node->children())
            if (child) noteMembers(child, members);
    }

    NodePtr copyOf(NodePtr base, ast::FreshNames::Given& given) {
        ast::Symbol symbol;
        symbol.name = names_.name(ast::FreshNames::wordOf(textOf(base)) + "_here", given);
        symbol.type = ast::multiarrayType(base);
        const NodePtr name = ast::identifier(arena(), symbol.name, base);
        name->type = symbol.type;
        name->symbol = arena().makeSymbol(symbol);
        return name;
    }

    ast::Quoter& quote_;
    const ast::FreshNames& names_;
};

}  // namespace

NodePtr bindArrays(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names,
                   NodePtr root) {
    return ArrayBinder(arena, quote, names).rewrite(root);
}

}  // namespace hpcc::pretranslate
