// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/bind_handles.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>

#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/halo_call.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A handle with a name of its own.
struct Bound {
    std::string name;
    NodePtr handle = nullptr;
    const ast::Type* type = nullptr;
    const ast::Symbol* symbol = nullptr;
};

/// The text of an expression without white space that says nothing.
std::string compact(NodePtr handle) {
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    std::string result;
    bool isSpace = false;
    for (const char c : ast::print(handle)) {
        if (std::isspace(static_cast<unsigned char>(c))) {
            isSpace = true;
            continue;
        }
        if (isSpace && !result.empty() && isWord(result.back()) && isWord(c)) result += ' ';
        isSpace = false;
        result += c;
    }
    return result;
}

/// By the text of the handle.
using Bindings = std::map<std::string, Bound>;

/// Arrays that elements are reached by, other than by a name.
void noteHandles(NodePtr node, std::vector<NodePtr>& handles) {
    if (ast::is<ast::Subscript>(node)) {
        const NodePtr base = node->child(ast::Subscript::base);
        if (ast::multiarrayType(base) && !isPlainBase(ast::withoutParentheses(base)))
            handles.push_back(ast::withoutParentheses(base));
    }
    for (const NodePtr child : node->children())
        if (child) noteHandles(child, handles);
}

class Renaming : public ast::Rewriter {
public:
    Renaming(Context& context, const Bindings& bindings)
        : Rewriter(context.arena), context_(context), bindings_(bindings) {}

    NodePtr rewriteSubscript(NodePtr node) override { return named(node); }
    NodePtr rewritePointerMember(NodePtr node) override { return named(node); }
    NodePtr rewriteMember(NodePtr node) override { return named(node); }
    NodePtr rewriteUnary(NodePtr node) override { return named(node); }
    NodePtr rewriteParenthesized(NodePtr node) override { return named(node); }

private:
    NodePtr named(NodePtr node) {
        const NodePtr handle = ast::withoutParentheses(node);
        if (!ast::multiarrayType(handle)) return rewriteChildren(node);
        const auto bound = bindings_.find(compact(handle));
        if (bound == bindings_.end()) return rewriteChildren(node);
        const NodePtr name = context_.identifier(bound->second.name, node);
        name->type = bound->second.type;
        name->symbol = bound->second.symbol;
        return name;
    }

    Context& context_;
    const Bindings& bindings_;
};

class BindHandles : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    NodePtr rewriteCompound(NodePtr block) override {
        if (ast::holdsDirective(block->origin()->text())) return rewriteChildren(block);
        std::vector<NodePtr> statements;
        const auto old = block->children();
        bool isChanged = false;
        for (size_t k = 0; k < old.size();) {
            const size_t length = groupAt(old, k);
            const NodePtr result = length ? named(old.subspan(k, length)) : rewrite(old[k]);
            isChanged |= result != old[k];
            if (result)
                statements.push_back(result);
            else
                for (size_t m = k; m < k + length; ++m) {
                    statements.push_back(rewriteChildren(old[m]));
                    isChanged |= statements.back() != old[m];
                }
            k += std::max<size_t>(length, 1);
        }
        return isChanged ? context.arena.rebuilt(block, block, statements) : block;
    }

    NodePtr rewriteOverall(NodePtr overall) override {
        const NodePtr result = named({&overall, 1});
        return result ? result : rewriteChildren(overall);
    }

private:
    /// How many nests, and exchanges of ghost cells before them, follow one another from k on.
    static size_t groupAt(std::span<const NodePtr> statements, size_t k) {
        size_t length = 0;
        for (size_t m = k; m < statements.size(); ++m) {
            if (ast::is<ast::Overall>(statements[m]))
                length = m + 1 - k;
            else if (!haloCallIn(statements[m]))
                break;
        }
        return length;
    }

    /// The statements behind declarations of their handles; null if there are none to bind.
    NodePtr named(std::span<const NodePtr> group) {
        const Bindings bindings = bindingsOf(group);
        if (bindings.empty()) return nullptr;
        std::vector<NodePtr> statements;
        for (const auto& [text, bound] : bindings) statements.push_back(declaration(bound));
        for (const NodePtr statement : group) {
            const NodePtr renamed = Renaming(context, bindings).rewrite(statement);
            statements.push_back(ast::is<ast::Overall>(renamed) ? rewriteChildren(renamed)
                                                                : renamed);
        }
        return context.statement(
            "{\n"
            "    $statements;\n"
            "}",
            {{"$statements", statements}}, group.front());
    }

    Bindings bindingsOf(std::span<const NodePtr> group) {
        std::vector<NodePtr> handles;
        std::deque<FixedNames> fixed;
        for (const NodePtr statement : group)
            if (ast::is<ast::Overall>(statement)) {
                noteHandles(statement, handles);
                fixed.emplace_back(statement, surroundings());
            }
        Bindings bindings;
        for (const NodePtr handle : handles) {
            const std::string text = compact(handle);
            const bool isBindable =
                pathOf(handle).isKnown && std::ranges::all_of(fixed, [&](const FixedNames& names) {
                    return names.keep(handle);
                });
            if (isBindable && !bindings.contains(text)) bindings[text] = bound(handle, text);
        }
        return bindings;
    }

    Bound bound(NodePtr handle, const std::string& text) {
        std::string wanted;
        for (const char c : text)
            if (std::isalnum(static_cast<unsigned char>(c)))
                wanted += c;
            else if (!wanted.empty() && wanted.back() != '_')
                wanted += '_';
        if (!wanted.empty() && wanted.back() == '_') wanted.pop_back();
        Bound result{context.names.next(wanted, counts_), handle, nullptr, nullptr};
        ast::Type type = *ast::multiarrayType(handle);
        type.isReference = false;
        result.type = context.arena.makeType(type);
        ast::Symbol symbol;
        symbol.name = result.name;
        symbol.type = result.type;
        symbol.standsForGeneral = true;
        result.symbol = context.arena.makeSymbol(symbol);
        return result;
    }

    NodePtr declaration(const Bound& bound) {
        const NodePtr origin = bound.handle;
        NodePtr exists = nullptr;
        for (const Premise& premise : pathOf(bound.handle).premises) {
            const NodePtr object = copied(premise.object);
            const NodePtr next =
                premise.subscript ? context.expression(
                                        "hpspmd::detail::holds($c, $k)",
                                        {{"$c", object}, {"$k", copied(premise.subscript)}}, origin)
                                  : context.expression("bool($p)", {{"$p", object}}, origin);
            exists = exists ? context.expression("$l && $r", {{"$l", exists}, {"$r", next}}, origin)
                            : next;
        }
        const NodePtr name = context.identifier(bound.name, origin);
        name->type = bound.type;
        name->symbol = bound.symbol;
        return context.statement(
            "const auto $u = $exists ? $a : hpspmd::detail::NullOf<decltype($b)>();",
            {{"$u", name},
             {"$exists", exists},
             {"$a", copied(bound.handle)},
             {"$b", copied(bound.handle)}},
            origin);
    }

    NodePtr copied(NodePtr node) { return ast::copy(context.arena, node); }

    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit bindHandles(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<BindHandles>(std::move(unit), quote);
}

}  // namespace hpcc::nests
