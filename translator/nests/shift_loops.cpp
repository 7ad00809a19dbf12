// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/shift_loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "analysis/loop.hpp"
#include "ast/comments.hpp"
#include "ast/copyable.hpp"
#include "ast/effects.hpp"
#include "ast/remarks.hpp"
#include "ast/subscripts.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using analysis::CountingLoop;
using ast::NodePtr;

constexpr size_t mostIterations = 9;
constexpr int mostNodes = 2000;         // of a body
constexpr size_t mostWritten = 20'000;  // of all that is written for one loop

/// True if a variable shifts an index somewhere inside.
bool shiftsIndex(NodePtr node, std::string_view variable) {
    if (!node) return false;
    if (const auto use = ast::asIndexSubscript(node))
        return use->distance && mentions(use->distance, variable);
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return shiftsIndex(child, variable); });
}

/// The subscripts of an element of a C array or std::array that is one of `own`; null of others.
NodePtr subscriptsOfOwn(NodePtr node, const Names& own) {
    if (!ast::is<ast::Subscript>(node)) return nullptr;
    const NodePtr base = node->child(ast::Subscript::base);
    const bool isArray = ast::is<ast::Identifier>(base) && base->type &&
                         (base->type->kind == ast::TypeKind::CArray ||
                          base->type->spelled.find("std::array<") != std::string::npos);
    return isArray && own.contains(base->text()) ? node->child(ast::Subscript::subscripts)
                                                 : nullptr;
}

/// True if a variable chooses among such elements somewhere inside.
bool goesOverOwn(NodePtr node, std::string_view variable, const Names& own) {
    if (!node) return false;
    if (const NodePtr subscripts = subscriptsOfOwn(node, own); mentions(subscripts, variable))
        return true;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return goesOverOwn(child, variable, own); });
}

/// All variables that shift an index somewhere inside, or choose among elements of arrays of the
/// nest's own.
void noteShifting(NodePtr node, const Names& own, Names& names) {
    if (!node) return;
    if (const NodePtr subscripts = subscriptsOfOwn(node, own))
        names.merge(ast::namesIn(subscripts));
    if (const auto use = ast::asIndexSubscript(node)) {
        if (use->distance) names.merge(ast::namesIn(use->distance));
        return;
    }
    for (const NodePtr child : node->children()) noteShifting(child, own, names);
}

/// A loop that counts with an integer of its own.
std::optional<CountingLoop> ownLoop(NodePtr statement) {
    const auto loop = analysis::countingLoop(statement);
    return loop && loop->isOwn && loop->holdsBound() ? loop : std::nullopt;
}

/// True if it is `if (c) continue;`.
bool isGuard(NodePtr statement) {
    if (!ast::is<ast::If>(statement) || statement->child(ast::If::otherwise) ||
        statement->child(ast::If::initializer) ||
        ast::is<ast::ConditionDeclaration>(statement->child(ast::If::condition)))
        return false;
    NodePtr then = statement->child(ast::If::then);
    if (ast::is<ast::Compound>(then) && then->children().size() == 1) then = then->child(0);
    return ast::is<ast::Continue>(then);
}

/// Writes out one loop, and those in it.
class WrittenOut {
public:
    /// `own`: names that the nest declares.
    WrittenOut(Context& context, const Names& own) : context_(context), own_(own) {}

    /// The statements of all iterations.
    std::vector<NodePtr> iterations(const CountingLoop& loop, const std::vector<long>& values) {
        const std::string_view variable = loop.name->text();
        const NodePtr body = withoutGuards(loop.statement->child(ast::For::body));
        std::vector<NodePtr> result;
        for (const long value : values) {
            constants_[variable] = value;
            std::vector<NodePtr> statements = copies(body);
            constants_.erase(variable);
            const bool isNamed = std::ranges::any_of(
                statements, [&](NodePtr statement) { return mentions(statement, variable); });
            if (isNamed)
                statements = {block(loop, value, std::move(statements))};
            else if (declares(statements))
                statements = {block(std::move(statements), loop.statement)};
            result.insert(result.end(), statements.begin(), statements.end());
        }
        return result;
    }

    /// The values of the variable, if the loop is a short one that can be written out.
    std::variant<std::vector<long>, Obstacle> valuesOf(const CountingLoop& loop) {
        const std::string_view variable = loop.name->text();
        const NodePtr body = loop.statement->child(ast::For::body);
        const ast::Effects effects = ast::effectsOf(body);
        if (effects.assigned.contains(variable) || effects.declared.contains(variable))
            return Obstacle{body, "this assigns or declares its variable again"};
        const auto first = analysis::constantValue(loop.first, constants_),
                   bound = analysis::constantValue(loop.bound, constants_);
        if (!first || !bound)
            return Obstacle{first ? loop.bound : loop.first,
                            "the translator does not know the value of this"};
        std::vector<long> values;
        for (long k = *first; loop.runs(k, *bound); k += loop.step) {
            values.push_back(k);
            if (values.size() > mostIterations)
                return Obstacle{loop.statement, "it has more than " +
                                                    std::to_string(mostIterations) + " iterations"};
        }
        if (!ast::isCopyable(withoutGuards(body), mostNodes))
            return Obstacle{body,
                            "this is too long, or holds a jump, a switch, a lambda or C++ that is "
                            "not looked into"};
        return values;
    }

    bool isTooMuch() const { return written_ > mostWritten; }

    /// As one statement; in braces wherever an `else` behind it might find another `if`, or a name
    /// declared in it is perhaps that of the statement around.
    NodePtr block(std::vector<NodePtr> statements, NodePtr origin) {
        if (statements.empty()) return context_.statement("{}", {}, origin);
        const NodePtr only = statements.size() == 1 ? statements.front() : nullptr;
        if (ast::is<ast::ExpressionStatement>(only) ||
            (ast::is<ast::Compound>(only) && !declares(only->children())))
            return only;
        return context_.statement(
            "{\n"
            "    $statements;\n"
            "}",
            {{"$statements", std::move(statements)}}, origin);
    }

private:
    /// `{ const int d = 1; S }`
    NodePtr block(const CountingLoop& loop, long value, std::vector<NodePtr> statements) {
        const NodePtr origin = loop.statement;
        const NodePtr declaration = origin->child(ast::For::initializer);
        const NodePtr type =
            declaration->child(ast::Declaration::specifiers)->child(ast::Specifiers::core);
        statements.insert(statements.begin(),
                          context_.statement("const $T $k = $value;",
                                             {{"$T", ast::copy(context_.arena, type)},
                                              {"$k", ast::copy(context_.arena, loop.name)},
                                              {"$value", context_.number(value, origin)}},
                                             origin));
        return block(std::move(statements), origin);
    }

    template <class Statements>
    static bool declares(const Statements& statements) {
        return std::ranges::any_of(statements, ast::is<ast::Declaration>);
    }

    /// `if (c) continue; S` as `if (!(c)) S`.
    NodePtr withoutGuards(NodePtr body) {
        if (!ast::is<ast::Compound>(body)) return body;
        const auto statements = body->children();
        const auto guard = std::ranges::find_if(statements, isGuard);
        if (guard == statements.end()) return body;
        std::vector<NodePtr> result(statements.begin(), guard);
        const NodePtr rest = withoutGuards(block({guard + 1, statements.end()}, *guard));
        result.push_back(context_.statement(
            "if (!($c)) $rest;", {{"$c", (*guard)->child(ast::If::condition)}, {"$rest", rest}},
            *guard));
        return block(std::move(result), body);
    }

    /// What a statement becomes where the variables have their values, without braces.
    std::vector<NodePtr> copies(NodePtr statement) {
        if (ast::is<ast::Compound>(statement)) {
            std::vector<NodePtr> result;
            for (const NodePtr each : statement->children()) {
                const std::vector<NodePtr> parts =
                    ast::is<ast::Compound>(each) ? inScope(each) : copies(each);
                result.insert(result.end(), parts.begin(), parts.end());
            }
            return result;
        }
        if (ast::is<ast::EmptyStatement>(statement)) return {};
        if (ast::is<ast::If>(statement) && !statement->child(ast::If::initializer))
            if (const auto value =
                    analysis::constantValue(statement->child(ast::If::condition), constants_)) {
                const NodePtr taken = statement->child(*value ? ast::If::then : ast::If::otherwise);
                return taken ? inScope(taken) : std::vector<NodePtr>();
            }
        if (ast::is<ast::For>(statement)) {
            const auto loop = ownLoop(statement);
            if (loop && (shiftsIndex(statement, loop->name->text()) ||
                         goesOverOwn(statement, loop->name->text(), own_))) {
                const auto values = valuesOf(*loop);
                if (const auto* known = std::get_if<std::vector<long>>(&values))
                    return iterations(*loop, *known);
            }
        }
        return {copy(statement)};
    }

    /// The same, in braces if names are declared.
    std::vector<NodePtr> inScope(NodePtr statement) {
        std::vector<NodePtr> parts = copies(statement);
        if (declares(parts)) return {block(std::move(parts), statement)};
        return parts;
    }

    NodePtr copy(NodePtr node) {
        if (!node || isTooMuch()) return node;
        ++written_;
        if (ast::is<ast::Compound>(node)) return block(copies(node), node);
        if (const NodePtr subscript = shifted(node)) return subscript;
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children())
            if (const NodePtr known = node->is<ast::Subscripts>() ? knownValue(child) : nullptr)
                children.push_back(known);
            else
                children.push_back(isWrittenOut(child) ? block(copies(child), child) : copy(child));
        return rebuilt(node, children);
    }

    /// True if it might become other statements.
    static bool isWrittenOut(NodePtr node) {
        return ast::is<ast::If>(node) || ast::is<ast::For>(node);
    }

    NodePtr rebuilt(NodePtr node, const std::vector<NodePtr>& children) {
        const NodePtr result = context_.arena.rebuilt(node, node, children);
        result->type = node->type;
        result->symbol = node->symbol;
        return result;
    }

    /// `std::abs(d)` as `1`: a subscript whose value follows from the variables; null for others.
    NodePtr knownValue(NodePtr subscript) {
        const bool depends = std::ranges::any_of(
            constants_, [&](const auto& each) { return mentions(subscript, each.first); });
        const auto value = depends ? analysis::constantValue(subscript, constants_) : std::nullopt;
        return value && *value >= 0
                   ? ast::literal(context_.arena, std::to_string(*value), subscript)
                   : nullptr;
    }

    /// `i + d` as `i - 1`; null for other expressions.
    NodePtr shifted(NodePtr node) {
        const auto use = ast::asIndexSubscript(node);
        if (!use || !use->distance) return nullptr;
        const auto value = analysis::constantValue(use->distance, constants_);
        if (!value) return nullptr;
        const long shift = use->negative ? -*value : *value;
        const NodePtr index = ast::copy(context_.arena, use->index);
        if (shift == 0) return index;
        const NodePtr result = context_.expression(
            shift < 0 ? "$i - $d" : "$i + $d",
            {{"$i", index},
             {"$d", ast::literal(context_.arena, std::to_string(std::abs(shift)), node)}},
            node);
        result->type = node->type;
        return result;
    }

    Context& context_;
    const Names& own_;
    analysis::Bindings constants_;
    size_t written_ = 0;
};

class ShiftLoops : public ast::Rewriter {
public:
    ShiftLoops(Context& context, const ast::Unit& unit)
        : Rewriter(context.arena), context_(context), remarks_(unit.remarks) {}

    NodePtr rewriteFunctionDefinition(NodePtr function) override {
        return function->contains(ast::extension) ? rewriteChildren(function) : function;
    }

    NodePtr rewriteOverall(NodePtr overall) override {
        if (isInNest_) return rewriteChildren(overall);
        shifting_.clear();
        own_ = ast::effectsOf(overall).declared;
        noteShifting(overall, own_, shifting_);
        if (shifting_.empty() || ast::holdsDirective(overall->origin()->text())) return overall;
        isInNest_ = true;
        const NodePtr result = rewriteChildren(overall);
        isInNest_ = false;
        return result;
    }

    NodePtr rewriteFor(NodePtr statement) override {
        const auto loop = ownLoop(statement);
        if (!isInNest_ || !loop || !shifting_.contains(loop->name->text()))
            return rewriteChildren(statement);
        const NodePtr body = statement->child(ast::For::body);
        const bool shifts = shiftsIndex(body, loop->name->text());
        if (!shifts && !goesOverOwn(body, loop->name->text(), own_))
            return rewriteChildren(statement);
        WrittenOut written(context_, own_);
        const auto values = written.valuesOf(*loop);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&values))
            return shifts ? leave(statement, *obstacle) : rewriteChildren(statement);
        const auto& known = std::get<std::vector<long>>(values);
        std::vector<NodePtr> statements = written.iterations(*loop, known);
        const std::vector<NodePtr> comments = ast::commentsInside(context_.arena, statement);
        statements.insert(statements.begin(), comments.begin(), comments.end());
        const NodePtr result = written.block(std::move(statements), statement);
        if (written.isTooMuch() && !shifts) return rewriteChildren(statement);
        if (written.isTooMuch()) return leave(statement, {statement, "that would be too long"});
        if (remarks_)
            remarks_->fired(
                "shift-loops", statement,
                std::string("this loop, which ") +
                    (shifts ? "shifts an index" : "goes over an array of the iteration") +
                    ", is written out: " + std::to_string(known.size()) +
                    (known.size() == 1 ? " iteration" : " iterations"));
        return result;
    }

private:
    NodePtr leave(NodePtr loop, const Obstacle& obstacle) {
        if (remarks_)
            remarks_->missed("shift-loops", loop,
                             "this loop, which shifts an index, is not written out", obstacle.place,
                             "because " + obstacle.reason);
        return rewriteChildren(loop);
    }

    Context& context_;
    ast::Remarks* remarks_;
    bool isInNest_ = false;
    Names shifting_, own_;  // of the nest
};

}  // namespace

ast::Unit shiftLoops(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<ShiftLoops>(std::move(unit), quote);
}

}  // namespace hpcc::nests
