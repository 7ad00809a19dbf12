// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/known_conditions.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/reader.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isTruth(NodePtr e) {
    const ast::Type* type = e->type || !e->symbol ? e->type : e->symbol->type;
    return type && type->kind == ast::TypeKind::Bool;
}

/// No effect, and no error either: elements are those of the iteration itself.
bool isSilent(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (e->is<ast::Subscript>()) {
        const auto subscripts = e->child(ast::Subscript::subscripts)->children();
        return analysis::elementOf(e) == e && ast::isPure(e->child(ast::Subscript::base)) &&
               std::ranges::all_of(subscripts, [](NodePtr each) {
                   return ast::is<ast::Identifier>(each) && each->type &&
                          each->type->kind == ast::TypeKind::Index;
               });
    }
    if (e->is<ast::Binary>() || analysis::isNegation(e))
        return std::ranges::all_of(
            e->children(), [](NodePtr each) { return !ast::isExpression(each) || isSilent(each); });
    return ast::isPure(e);
}

/// Leaves out what known conditions leave out.
class Specialising : public ast::Rewriter {
public:
    Specialising(Context& context, const Known& known)
        : Rewriter(context.arena), context_(context), known_(known) {}

    NodePtr rewriteBinary(NodePtr node) override {
        const NodePtr rest = valueOf(node) ? nullptr : undecided(node);
        return rest && (isQuestion(rest) || isTruth(rest))
                   ? context_.expression("($e)", {{"$e", rewrite(rest)}}, rest)
                   : orKnown(node);
    }
    NodePtr rewriteIdentifier(NodePtr node) override { return orKnown(node); }
    NodePtr rewriteInitDeclarator(NodePtr node) override {
        const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
        if (!initializer) return node;
        return ast::rebuild(
            arena(), node,
            std::vector{node->child(ast::InitDeclarator::declarator), rewrite(initializer)});
    }

    NodePtr rewriteConditional(NodePtr node) override {
        const auto value = valueOf(node->child(ast::Conditional::condition));
        if (!value) return withRestOf(node, ast::Conditional::condition);
        const NodePtr chosen =
            rewrite(node->child(*value ? ast::Conditional::then : ast::Conditional::otherwise));
        return context_.expression("($e)", {{"$e", chosen}}, node);
    }

    NodePtr rewriteIf(NodePtr node) override {
        const auto value = valueOf(node->child(ast::If::condition));
        if (!value) return withRestOf(node, ast::If::condition);
        const NodePtr chosen = node->child(*value ? ast::If::then : ast::If::otherwise);
        const NodePtr rest = chosen ? rewrite(chosen) : nullptr;
        if (rest && rest->is<ast::Compound>()) return rest;
        return context_.statement(
            "{\n"
            "    $rest;\n"
            "}",
            {{"$rest", std::vector<NodePtr>(rest ? 1 : 0, rest)}}, node);
    }

    NodePtr rewriteCompound(NodePtr node) override {
        std::vector<NodePtr> statements;
        for (const NodePtr child : node->children()) {
            const NodePtr rest = rewrite(child);
            if (rest != child && isNothing(rest) && !holdsJump(rest)) continue;
            statements.push_back(rest);
            if (endsIteration(rest)) break;
        }
        if (std::ranges::equal(statements, node->children())) return node;
        leaveOutUnused(statements, node);
        return arena().rebuilt(node, node, statements);
    }

    /// At the end of an iteration.
    static bool isNothing(NodePtr statement) {
        if (!statement || statement->is<ast::Continue>() || statement->is<ast::EmptyStatement>())
            return true;
        if (statement->is<ast::If>())
            return isSilent(statement->child(ast::If::condition)) &&
                   isNothing(statement->child(ast::If::then)) &&
                   isNothing(statement->child(ast::If::otherwise));
        return (statement->is<ast::Compound>() &&
                std::ranges::all_of(statement->children(), isNothing)) ||
               keepsItself(statement);
    }

private:
    std::optional<bool> valueOf(NodePtr condition) const {
        condition = ast::withoutParentheses(condition);
        if (analysis::isNegation(condition)) {
            const auto value = valueOf(condition->child(ast::Unary::operand));
            return value ? std::optional(!*value) : std::nullopt;
        }
        if (const auto known = known_.find(condition); known != known_.end()) return known->second;
        if (joinsConditions(condition)) return joined(condition);
        const analysis::Descent descent;
        if (!condition->is<ast::Identifier>() || !analysis::isStable(condition->symbol) ||
            descent.isTooDeep())
            return std::nullopt;
        const NodePtr value = analysis::singleInitializer(condition->symbol->initializer);
        return value ? valueOf(value) : std::nullopt;
    }

    /// Of conditions, of which one operand may decide.
    std::optional<bool> joined(NodePtr e) const {
        const NodePtr right = e->child(ast::Binary::right);
        const auto first = valueOf(e->child(ast::Binary::left)), second = valueOf(right);
        const bool decisive = !isConjunction(e);
        if (first == decisive && (ast::isShortCircuit(e) || isSilent(right))) return decisive;
        if (second == decisive && isSilent(e->child(ast::Binary::left))) return decisive;
        return first && second ? std::optional(!decisive) : std::nullopt;
    }
    static bool isConjunction(NodePtr e) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        return op == "&&" || op == "and" || op == "&" || op == "bitand";
    }

    /// The condition of two that decides, since the other one is known; null if there is none,
    /// or if it is no truth value.
    NodePtr undecided(NodePtr e) const {
        if (!joinsConditions(e)) return nullptr;
        const NodePtr left = e->child(ast::Binary::left), right = e->child(ast::Binary::right);
        const auto first = valueOf(left);
        const auto known = first ? first : valueOf(right);
        return known == isConjunction(e) ? (first ? right : left) : nullptr;
    }

    /// The same with what is left of its condition, which may be any number.
    NodePtr withRestOf(NodePtr node, uint32_t condition) {
        NodePtr rest = ast::withoutParentheses(node->child(condition));
        while (const NodePtr next = rest->is<ast::Binary>() ? undecided(rest) : nullptr)
            rest = ast::withoutParentheses(next);
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        if (rest != ast::withoutParentheses(children[condition])) children[condition] = rest;
        return rewriteChildren(ast::rebuild(arena(), node, children));
    }

    /// `a[i, j] = a[i, j]` of numbers, at a place that is in the array anyway.
    static bool keepsItself(NodePtr statement) {
        const NodePtr assign = soleAssignment(statement);
        if (!assign || assign->child(ast::Assign::op)->text() != "=") return false;
        const NodePtr target = ast::withoutParentheses(assign->child(ast::Assign::target));
        const NodePtr value = ast::withoutParentheses(assign->child(ast::Assign::value));
        return target->is<ast::Subscript>() && analysis::elementOf(target) == target &&
               analysis::isNumber(target->type) && isSilent(target) &&
               ast::print(target) == ast::print(value);
    }

    NodePtr orKnown(NodePtr node) {
        const auto value = valueOf(node);
        const bool isSame = !node->is<ast::Identifier>() || known_.contains(node) || isTruth(node);
        if (!value || !isSame) return rewriteChildren(node);
        return ast::identifier(arena(), *value ? "true" : "false", node);
    }

    /// Constants and numbers that nothing asks for any more, of which the C++ compiler would warn.
    static void leaveOutUnused(std::vector<NodePtr>& statements, NodePtr before) {
        for (size_t k = statements.size(); k-- > 0;) {
            if (!declaresWithoutEffect(statements[k])) continue;
            const auto list = ast::declaratorsOf(statements[k]);
            const bool isUsed = std::ranges::any_of(list, [&](NodePtr each) {
                const std::string_view name = each->child(ast::InitDeclarator::declarator)->text();
                return std::ranges::any_of(statements, [&](NodePtr s) {
                    return mentionsIn(s, name) > (s == statements[k]);
                });
            });
            const bool wasUsed = std::ranges::all_of(list, [&](NodePtr each) {
                return mentionsIn(before, each->child(ast::InitDeclarator::declarator)->text()) > 1;
            });
            if (!isUsed && wasUsed) statements.erase(statements.begin() + static_cast<long>(k));
        }
    }

    static bool declaresWithoutEffect(NodePtr statement) {
        const NodePtr list = statement->is<ast::Declaration>()
                                 ? statement->child(ast::Declaration::declarators)
                                 : nullptr;
        return list && std::ranges::all_of(list->children(), [](NodePtr each) {
                   if (!ast::is<ast::InitDeclarator>(each)) return false;
                   const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
                   if (!initializer) return declaresNumber(each);
                   return ast::is<ast::EqualInitializer>(initializer) &&
                          ast::isPure(initializer->child(ast::EqualInitializer::value));
               });
    }

    static bool declaresNumber(NodePtr declarator) {
        const NodePtr name = declarator->child(ast::InitDeclarator::declarator);
        return ast::is<ast::Identifier>(name) && name->symbol &&
               analysis::isNumber(name->symbol->type);
    }

    static long mentionsIn(NodePtr node, std::string_view name) {
        return std::ranges::count_if(ast::allOf<ast::Identifier>(node),
                                     [&](NodePtr each) { return each->text() == name; });
    }

    static bool endsIteration(NodePtr statement) {
        return statement->is<ast::Continue>() ||
               (statement->is<ast::Compound>() && !statement->children().empty() &&
                endsIteration(statement->children().back()));
    }

    Context& context_;
    const Known& known_;
};

}  // namespace

bool isQuestion(NodePtr e) {
    e = ast::withoutParentheses(e);
    return analysis::isNegation(e) || analysis::isComparison(e) || joinsConditions(e);
}

bool joinsConditions(NodePtr e) {
    if (!ast::is<ast::Binary>(e)) return false;
    const std::string_view op = e->child(ast::Binary::op)->text();
    const bool isOfBits = op == "&" || op == "|" || op == "bitand" || op == "bitor";
    const auto isAnswer = [&](uint32_t which) {
        return isQuestion(e->child(which)) || isTruth(ast::withoutParentheses(e->child(which)));
    };
    return ast::isShortCircuit(e) ||
           (isOfBits && isAnswer(ast::Binary::left) && isAnswer(ast::Binary::right));
}

NodePtr specialised(Context& context, NodePtr statement, const Known& known) {
    const NodePtr rest = Specialising(context, known).rewrite(statement);
    return Specialising::isNothing(rest) ? nullptr : rest;
}

}  // namespace hpcc::nests
