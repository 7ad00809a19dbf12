// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/bind_handles.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "analysis/constant.hpp"
#include "analysis/lengths.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/halo_call.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/scratch.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A handle or number with a name of its own.
struct Bound {
    NodePtr declaration = nullptr;
    std::string name;
    const ast::Type* type = nullptr;
    const ast::Symbol* symbol = nullptr;
};

/// By the text of the handle or number.
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

/// `by` for `this->by`
bool isOwnMember(NodePtr node) {
    return ast::is<ast::Identifier>(node) && node->symbol &&
           node->symbol->kind == ast::SymbolKind::Field;
}

bool isConstTable(const ast::Type* type) {
    while (type->kind == ast::TypeKind::CArray && type->element) type = type->element;
    return type->isConst && !type->isReference;
}

/// An element, or a member of one, of a table at constant subscripts: `w[1]`, `all[0].weight`.
bool isTableElement(NodePtr number) {
    if (!ast::isAny<ast::Subscript, ast::Member>(number) || !isNumberPath(number) ||
        !analysis::tableOf(number))
        return false;
    const auto premises = pathOf(number).premises;
    return !premises.empty() && std::ranges::all_of(premises, [](const Premise& each) {
        const auto k = each.subscript ? analysis::constantValue(each.subscript) : std::nullopt;
        const auto length = analysis::lengthOf(each.object);
        return k && length && *k >= 0 && *k < *length;
    });
}

/// Numbers that a nest reaches by an expression, and which of them it changes.
struct Numbers {
    std::vector<NodePtr> all, ofTables;
    std::unordered_set<std::string> changed;
    std::set<const ast::Symbol*> reachedTables;  // by addresses and assignments

    void note(NodePtr node) {
        if (isTableElement(node)) return ofTables.push_back(node);
        const NodePtr reached = addressed(node);
        if (const NodePtr table = reached ? analysis::tableOf(reached) : nullptr)
            reachedTables.insert(table->symbol);
        if (isOwnMember(node)) changed.insert("this->" + std::string(node->text()));  // perhaps
        if (const NodePtr target = changedBy(node); target && isNumberPath(target)) {
            all.push_back(ast::withoutParentheses(target));
            changed.insert(ast::compact(all.back()));
        }
        if (ast::isAny<ast::Member, ast::PointerMember, ast::Unary>(node) && isNumberPath(node) &&
            isBehindPointers(node))
            all.push_back(node);
        if (ast::isAny<ast::Member, ast::PointerMember>(node)) return note(node->child(0));
        for (const NodePtr child : node->children())
            if (child && !(ast::isAny<ast::Subscript, ast::Call>(node) && child == node->child(0) &&
                           !analysis::isNumber(child->type)))
                note(child);
    }

private:
    /// What is changed, or gets another name, or of which the address is taken.
    static NodePtr addressed(NodePtr node) {
        if (ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "&")
            return node->child(ast::Unary::operand);
        const bool isName =
            ast::is<ast::InitDeclarator>(node) && node->type && node->type->isReference;
        return isName ? analysis::singleInitializer(node->child(ast::InitDeclarator::initializer))
                      : ast::changedOperand(node);
    }
    /// By itself, or by another name: `t->count = 1`, `auto &count = t->count;`.
    static NodePtr changedBy(NodePtr node) {
        const bool isName = ast::is<ast::InitDeclarator>(node) && node->type &&
                            node->type->isReference && !node->type->isConst;
        return isName ? analysis::singleInitializer(node->child(ast::InitDeclarator::initializer))
                      : ast::changedOperand(node);
    }
    static bool isBehindPointers(NodePtr number) {
        const auto premises = pathOf(number).premises;
        return ast::is<ast::PointerMember>(number) ||
               (!premises.empty() && std::ranges::none_of(premises, &Premise::subscript));
    }
};

bool isBitField(NodePtr number) {
    const ast::Symbol* field =
        number->children().empty() ? nullptr : number->children().back()->symbol;
    return field && ast::is<ast::InitDeclarator>(field->declaration) &&
           ast::is<ast::BitField>(field->declaration->child(ast::InitDeclarator::declarator));
}

/// The symbol of the member that a number is, if no other member of its object can be the same.
const ast::Symbol* fieldOf(NodePtr number) {
    if (!ast::isAny<ast::Member, ast::PointerMember>(number)) return nullptr;
    const ast::Symbol* const field = number->children().back()->symbol;
    for (; ast::isAny<ast::Member, ast::PointerMember>(number); number = number->child(0))
        if (const ast::Symbol* part = number->children().back()->symbol; !part || part->isInUnion)
            return nullptr;
    return field->declaration && !field->type->isReference ? field : nullptr;
}

class HandleRenaming : public ast::Rewriter {
public:
    HandleRenaming(Context& context, const Bindings& bindings)
        : Rewriter(context.arena, 0), context_(context), bindings_(bindings) {}

    NodePtr rewriteIdentifier(NodePtr node) override {
        const auto bound = isOwnMember(node) ? bindings_.find("this->" + std::string(node->text()))
                                             : bindings_.end();
        return bound == bindings_.end() ? node : nameOf(bound->second, node);
    }

    NodePtr rewriteSubscript(NodePtr node) override { return named(node); }
    NodePtr rewritePointerMember(NodePtr node) override { return named(node); }
    NodePtr rewriteMember(NodePtr node) override { return named(node); }
    NodePtr rewriteUnary(NodePtr node) override { return named(node); }
    NodePtr rewriteParenthesized(NodePtr node) override { return named(node); }

private:
    NodePtr named(NodePtr node) {
        const auto bound = bindings_.find(ast::compact(ast::withoutParentheses(node)));
        if (bound != bindings_.end()) return nameOf(bound->second, node);
        if (!ast::isAny<ast::Member, ast::PointerMember>(node)) return rewriteChildren(node);
        return ast::withChild(arena(), node, 0, rewrite(node->child(0)));  // not what it names
    }
    NodePtr nameOf(const Bound& bound, NodePtr origin) {
        const NodePtr name = context_.identifier(bound.name, origin);
        name->type = bound.type;
        name->symbol = bound.symbol;
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

    /// The statements behind declarations of their handles and numbers; null if there are none to
    /// bind.
    NodePtr named(std::span<const NodePtr> group) {
        const Bindings bindings = bindingsOf(group);
        if (bindings.empty()) return nullptr;
        std::vector<NodePtr> statements;
        for (const auto& [text, bound] : bindings) statements.push_back(bound.declaration);
        for (const NodePtr statement : group) {
            const NodePtr renamed = HandleRenaming(context, bindings).rewrite(statement);
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
        Numbers numbers;
        std::deque<FixedNames> fixed;
        std::set<const ast::Symbol*> scratch;  // of which each lane has elements of its own
        std::unordered_set<std::string_view> declared;
        for (const NodePtr statement : group)
            if (ast::is<ast::Overall>(statement)) {
                noteHandles(statement, handles);
                scratch.merge(scratchOf(statement, surroundings()));
                declared.merge(ast::effectsOf(statement).declared);
                numbers.note(statement);
                fixed.emplace_back(statement, surroundings());
            }
        const auto isFixed = [&](NodePtr path) {
            return std::ranges::all_of(fixed,
                                       [&](const FixedNames& names) { return names.keep(path); });
        };
        Bindings bindings;
        for (const NodePtr handle : handles)
            if (const std::string text = ast::compact(handle);
                !bindings.contains(text) && pathOf(handle).isKnown && isFixed(handle))
                bindings.emplace(text, boundHandle(handle, text));
        for (const NodePtr number : numbers.all)
            if (const std::string text = ast::compact(number);
                !bindings.contains(text) && !isBitField(number) && isFixed(number) &&
                !scratch.contains(number->child(0)->symbol))
                bindings.emplace(text, boundNumber(number, text, numbers.changed.contains(text)));
        for (const NodePtr number : numbers.ofTables) {
            const NodePtr table = analysis::tableOf(number);
            const bool isLasting =
                !declared.contains(table->text()) &&
                !numbers.reachedTables.contains(table->symbol) &&
                (isConstTable(table->symbol->type) ||
                 (surroundings().confined().contains(table->text()) && isFixed(table)));
            if (const std::string text = ast::compact(number);
                isLasting && !bindings.contains(text))
                bindings.emplace(text, boundConstant(number, text));
        }
        return bindings;
    }

    Bound boundConstant(NodePtr number, const std::string& text) {
        ast::Type type = *number->type;
        type.isConst = true;
        return bound(number, text, type, {}, "const auto $u = $a;", false);
    }

    Bound boundHandle(NodePtr handle, const std::string& text) {
        ast::Symbol symbol;
        symbol.standsForGeneral = true;
        return bound(handle, text, *ast::multiarrayType(handle), symbol,
                     "const auto &$u = $exists ? $a : hpspmd::detail::noArray<decltype($b)>;");
    }

    Bound boundNumber(NodePtr number, const std::string& text, bool isChanged) {
        ast::Symbol symbol;
        symbol.field = fieldOf(number);
        ast::Type type = *number->type;
        type.isConst |= !isChanged;
        const bool isSure = std::ranges::all_of(pathOf(number).premises, [](const Premise& each) {
            return each.object->text() == "this";
        });
        symbol.standsForGeneral = !isSure;
        const std::string schema = isChanged ? "auto &$u = " : "const auto &$u = ";
        Bound result =
            bound(number, text, type, symbol,
                  schema + (isSure ? "$a;"
                                   : "$exists ? $a : hpspmd::detail::noNumber<decltype(($b))>();"));
        return result;
    }

    /// With a name like the text of the path, and the declaration that is made by the schema.
    Bound bound(NodePtr path, const std::string& text, ast::Type type, ast::Symbol symbol,
                const std::string& schema, bool isName = true) {
        Bound result;
        result.name = context.names.next(ast::FreshNames::wordOf(text), counts_);
        type.isReference = isName && !ast::multiarrayType(path);
        result.type = context.arena.makeType(type);
        symbol.name = result.name;
        symbol.type = result.type;
        const NodePtr name = context.identifier(result.name, path);
        name->type = result.type;
        result.declaration = context.statement(schema,
                                               {{"$u", name},
                                                {"$exists", existence(path)},
                                                {"$a", copied(path)},
                                                {"$b", copied(path)}},
                                               path);
        if (type.isReference || !isName) symbol.declaration = result.declaration;
        name->symbol = result.symbol = context.arena.makeSymbol(symbol);
        return result;
    }

    /// What must hold so that the path can be followed; null if nothing must.
    NodePtr existence(NodePtr path) {
        NodePtr exists = nullptr;
        for (const Premise& premise : pathOf(path).premises) {
            const NodePtr object = copied(premise.object);
            const NodePtr next =
                premise.subscript
                    ? context.expression("hpspmd::detail::holds($c, $k)",
                                         {{"$c", object}, {"$k", copied(premise.subscript)}}, path)
                    : context.expression("bool($p)", {{"$p", object}}, path);
            exists = exists ? context.expression("$l && $r", {{"$l", exists}, {"$r", next}}, path)
                            : next;
        }
        return exists;
    }

    NodePtr copied(NodePtr node) { return ast::copy(context.arena, node); }

    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit bindHandles(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<BindHandles>(std::move(unit), quote);
}

}  // namespace hpcc::nests
