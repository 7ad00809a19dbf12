// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/sums_together.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "nests/loop_parts.hpp"
#include "nests/memory_order.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/value_arrays.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using StatementList = std::span<const NodePtr>;

NodePtr nameIn(NodePtr declaration) {
    const NodePtr declarators = declaration->child(ast::Declaration::declarators);
    return declarators->child(0)->child(ast::InitDeclarator::declarator);
}

/// True of `s = Adlib::sum(s);`
bool isInPlace(NodePtr statement, const LoopValue& value) {
    const NodePtr e = ast::is<ast::ExpressionStatement>(statement) ? statement->child(0) : nullptr;
    return ast::is<ast::Assign>(e) && !value.parts.empty() &&
           e->child(ast::Assign::value) == value.call &&
           e->child(ast::Assign::target)->symbol == value.number;
}

/// The name of a number that a statement declares or assigns, with nothing but this value; null if
/// it does anything else.
NodePtr nameGiven(NodePtr statement, const LoopValue& value) {
    if (isInPlace(statement, value)) return statement->child(0)->child(ast::Assign::target);
    const auto declared = numberDeclaredIn(statement);
    if (!declared || ast::withoutParentheses(declared->start) != value.call) return nullptr;
    const NodePtr name = nameIn(statement);
    const bool isAlike = ast::is<ast::Identifier>(name) && name->symbol &&
                         wordFor(name->symbol->type) == wordFor(value.result) &&
                         !name->symbol->type->isReference;
    return isAlike ? name : nullptr;
}

/// True if what is evaluated in an expression, or below another node, changes something.
bool changesAnything(NodePtr node) {
    return node && !ast::is<ast::Lambda>(node) &&
           (ast::changedOperand(node) || std::ranges::any_of(node->children(), changesAnything));
}
/// Nothing changes in a statement but what it assigns, last of all.
bool changesLast(NodePtr statement) {
    const NodePtr e = ast::is<ast::ExpressionStatement>(statement)
                          ? ast::withoutParentheses(statement->child(0))
                          : statement;
    return std::ranges::none_of(e->children(), changesAnything);
}
bool isChangedIn(StatementList statements, std::string_view name) {
    return std::ranges::any_of(statements, [&](NodePtr statement) {
        return ast::effectsOf(statement).assigned.contains(name);
    });
}

/// What is left of a loop's body, with values in the place of the calls, or of names that these
/// got.
class Rest {
public:
    Rest(Context& context, ValueArrays& values, StatementList body)
        : context_(context), values_(values), body_(body) {
        for (const Held& held : values.all()) {
            const LoopValue& value = held.value;
            gone_.insert(value.parts.begin(), value.parts.end());
            const NodePtr name = nameGiven(body[value.position], value);
            if (!name || isChangedIn(body.subspan(value.position + 1), name->text())) {
                elements_.emplace(value.call, values.result(held, value.call));
            } else {
                gone_.insert(value.position);
                named_.emplace_back(&held, name->symbol);
            }
        }
    }

    NodePtr written(NodePtr origin) {
        std::vector<NodePtr> statements;
        for (size_t k = 0; k < body_.size(); ++k)
            if (!gone_.contains(k)) statements.push_back(statement(k));
        return context_.statement("{\n    $statements;\n}", {{"$statements", statements}}, origin);
    }
    /// What each iteration declares outside of inner blocks.
    std::unordered_set<std::string_view> declared() const {
        std::unordered_set<std::string_view> names;
        for (const NodePtr statement : body_)
            if (ast::is<ast::Declaration>(statement))
                for (const NodePtr each : ast::declaratorsOf(statement))
                    if (const NodePtr name = ast::declaredName(each->child(0)))
                        names.insert(name->text());
        return names;
    }
    /// Of the first statement behind what made a value.
    size_t positionOf(const LoopValue& value) const {
        return value.position - static_cast<size_t>(std::ranges::count_if(
                                    gone_, [&](size_t each) { return each < value.position; }));
    }

private:
    NodePtr statement(size_t k) {
        NodePtr result = InPlaceOfCalls(context_.arena, elements_).rewrite(started(k));
        result = ast::copy(context_.arena, result);
        for (const auto& [held, variable] : named_)
            result = values_.resultInPlaceOf(variable, *held, result);
        return result;
    }
    /// The declaration of a number begins with the call that assigns it.
    NodePtr started(size_t k) {
        for (const Held& held : values_.all()) {
            if (held.value.position != k || !isInPlace(body_[k], held.value)) continue;
            const NodePtr declaration = body_[held.value.parts.front()];
            return context_.statement("$type $name = $value;",
                                      {{"$type", declaration->child(ast::Declaration::specifiers)},
                                       {"$name", nameIn(declaration)},
                                       {"$value", held.value.call}},
                                      body_[k]);
        }
        return body_[k];
    }

    Context& context_;
    ValueArrays& values_;
    StatementList body_;
    std::set<size_t> gone_;
    std::map<NodePtr, NodePtr> elements_;
    std::vector<std::pair<const Held*, const ast::Symbol*>> named_;
};

/// What a loop becomes.
struct Parts {
    std::vector<NodePtr> loops = {};  // that make the values
    bool goAlongRows = false;         // some of them, where the loop went across
    NodePtr rest = nullptr;
    std::unordered_set<std::string_view> declared = {};  // by each iteration
    ApartInParts apart = {};
};

class SumsTogether : public NestRewriter {
public:
    SumsTogether(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::extension | ast::call) {}

    NodePtr rewriteFor(NodePtr old) override {
        const NodePtr loop = rewriteChildren(old);
        const auto counting = analysis::countingLoop(loop);
        if (!counting || !counting->isOwn || !counting->name->symbol || counting->step != 1 ||
            counting->endsByMeeting())
            return loop;
        const NodePtr block = loop->child(ast::For::body);
        const StatementList body =
            ast::is<ast::Compound>(block) ? block->children() : StatementList(&block, 1);
        std::vector<LoopValue> found = valuesIn(context, surroundings().macros(), body);
        if (found.empty() || ast::holdsDirective(loop->origin()->text())) return loop;
        ValueArrays values(context, counts_, *counting, std::move(found));
        Parts parts;
        const Obstacle obstacle = part(parts, *counting, values, body);
        if (!obstacle.place || differ(values, *counting)) tell(loop, obstacle);
        return obstacle.place ? loop : written(*counting, values, parts);
    }

private:
    /// True if what is reduced differs from iteration to iteration by the counter: not the same
    /// sum of each step of a solver.
    static bool differ(const ValueArrays& values, const analysis::CountingLoop& counting) {
        return std::ranges::any_of(values.all(), [&](const Held& held) {
            return ast::namesIn(held.value.made).contains(counting.name->text());
        });
    }

    void tell(NodePtr loop, const Obstacle& obstacle) {
        if (!remarks) return;
        if (!obstacle.place)
            remarks->fired("sums-together", loop,
                           "what Adlib reduces in the iterations of this loop is computed before "
                           "it, and joined by one message");
        else
            remarks->missed("sums-together", loop,
                            "what Adlib reduces in this loop is computed iteration by iteration",
                            obstacle.place, "because here it " + obstacle.reason, obstacle.cure);
    }

    NodePtr withBody(NodePtr loop, NodePtr body) {
        const NodePtr old = loop->child(ast::For::body);
        std::vector<NodePtr> children;
        for (const NodePtr child : loop->children())
            children.push_back(child == old ? body : ast::copy(context.arena, child));
        return context.arena.rebuilt(loop, loop, children);
    }

    Obstacle part(Parts& parts, const analysis::CountingLoop& counting, ValueArrays& values,
                  StatementList body) {
        const NodePtr loop = counting.statement, block = loop->child(ast::For::body);
        if (ast::effectsOf(block).declared.contains(counting.name->text()))
            return {loop, "uses the name of its counter otherwise"};
        for (const Held& held : values.all())
            if (!changesLast(body[held.value.position]))
                return {body[held.value.position], "changes something in the same statement"};
        Rest rest(context, values, body);
        parts.rest = withBody(loop, rest.written(block));
        parts.declared = rest.declared();
        std::set<NodePtr> made;
        for (const Held& held : values.all())
            if (made.insert(held.value.made).second)
                if (const Obstacle obstacle =
                        takeOut(parts, loop, values, held.value, rest.positionOf(held.value));
                    obstacle.place)
                    return obstacle;
        return {};
    }

    /// Makes a loop of the statement that makes a value.
    Obstacle takeOut(Parts& parts, NodePtr loop, ValueArrays& values, const LoopValue& value,
                     size_t position) {
        const NodePtr early = withBody(loop, values.madeInArrays(value.made));
        for (const std::string_view name : ast::namesIn(early))
            if (parts.declared.contains(name))
                return {value.made,
                        "reads '" + std::string(name) + "', which each iteration has for itself"};
        for (const NodePtr each : {parts.rest, early})
            if (const Obstacle* obstacle = std::get_if<Obstacle>(&analysedInGeneral(each)))
                return *obstacle;
        const Nest& nest = std::get<Nest>(analysedInGeneral(early));
        const bool isNest = !ast::is<ast::ExpressionStatement>(value.made);
        const bool goesAlongRows = isNest && isTurned(nest);
        parts.goAlongRows |= goesAlongRows;
        parts.loops.push_back(
            goesAlongRows || !isNest ? early : withBody(loop, values.madeInNumbers(value.made)));
        return obstacleToParting(context, {&nest, position},
                                 std::get<Nest>(analysedInGeneral(parts.rest)), values.names(),
                                 parts.apart);
    }

    /// True if the order of memory puts the loop round a nest inside of it.
    bool isTurned(const Nest& nest) {
        const auto order = memoryOrder(
            context, nest, [this](NodePtr loop) { return analysed(loop); },
            [](NodePtr) { return false; });
        context.taken.clear();
        return order && order->loops.front() != nest.loops.front().variable;
    }

    NodePtr written(const analysis::CountingLoop& counting, ValueArrays& values,
                    const Parts& parts) {
        const NodePtr loop = counting.statement;
        const std::string name =
            context.names.next(std::string(counting.name->text()) + "_together", counts_);
        std::vector<NodePtr> ranges, arrays;
        NodePtr joined = nullptr;
        for (const Held& held : values.all()) {
            for (const NodePtr range : values.ranges(held, name)) ranges.push_back(range);
            arrays.push_back(values.declaration(held, name));
            joined = both(joined, values.join(held, name));
        }
        ranges.insert(ranges.end(), arrays.begin(), arrays.end());
        return context.statement(
            "{\n"
            "    hpspmd::detail::Together $together($first, $bound, $reaches, $turned);\n"
            "    $arrays;\n"
            "    try {\n"
            "        if ($condition) {\n"
            "            $loops;\n"
            "            $made.done();\n"
            "        }\n"
            "    } catch (...) {\n"
            "    }\n"
            "    if ($joined)\n"
            "        $rest;\n"
            "    else\n"
            "        $loop;\n"
            "}",
            {{"$together", context.identifier(name, loop)},
             {"$first", ast::copy(context.arena, counting.first)},
             {"$bound", ast::copy(context.arena, counting.bound)},
             {"$reaches", truth(counting.includesBound(), loop)},
             {"$turned", truth(parts.goAlongRows, loop)},
             {"$arrays", ranges},
             {"$condition", condition(name, parts.apart, loop)},
             {"$loops", parts.loops},
             {"$made", context.identifier(name, loop)},
             {"$joined", joined},
             {"$rest", parts.rest},
             {"$loop", loop}},
            loop);
    }
    NodePtr condition(const std::string& together, const ApartInParts& apart, NodePtr origin) {
        NodePtr result = context.identifier(together, origin);
        const auto require = [&](const std::string& question, const auto& pairs) {
            for (const auto& [one, other] : pairs)
                result = both(result,
                              context.expression("hpspmd::detail::" + question + "($one, $other)",
                                                 {{"$one", context.identifier(one, origin)},
                                                  {"$other", context.identifier(other, origin)}},
                                                 origin));
        };
        require("disjoint", apart.arrays);
        require("disjointFrom", apart.containers);
        return result;
    }
    NodePtr truth(bool value, NodePtr origin) {
        return context.identifier(value ? "true" : "false", origin);
    }
    NodePtr both(NodePtr one, NodePtr other) {
        if (!one) return other;
        return context.expression("$one && $other", {{"$one", one}, {"$other", other}}, one);
    }

    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit sumsTogether(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices || unit.threads) return unit;
    return rewritten<SumsTogether>(std::move(unit), quote);
}

}  // namespace hpcc::nests
