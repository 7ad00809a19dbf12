// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/written_out.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "analysis/lengths.hpp"
#include "analysis/operators.hpp"
#include "analysis/written_parts.hpp"
#include "ast/copyable.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {
namespace {

using analysis::CountingLoop;
using ast::NodePtr;

constexpr size_t mostIterations = 9;
constexpr int mostNodesWrittenOut = 2000;  // of a body
constexpr size_t mostWritten = 20'000;     // of all that is written for one loop

/// True if a variable shifts an index somewhere inside.
bool shiftsIndex(NodePtr node, std::string_view variable) {
    if (!node) return false;
    if (const auto use = ast::asIndexSubscript(node))
        return use->distance && mentions(use->distance, variable);
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return shiftsIndex(child, variable); });
}

/// True if a variable chooses among such elements somewhere inside.
bool goesOverOwn(NodePtr node, std::string_view variable, const Names& own) {
    if (!node) return false;
    if (const NodePtr subscripts = subscriptsOfOwn(node, own); mentions(subscripts, variable))
        return true;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return goesOverOwn(child, variable, own); });
}

/// `v[k]` of an access `v[k][i, j]`; null of other nodes.
NodePtr chosenHandle(NodePtr node) {
    if (!ast::is<ast::Subscript>(node)) return nullptr;
    const NodePtr base = ast::withoutParentheses(node->child(ast::Subscript::base));
    return ast::multiarrayType(base) && !ast::isSimple(base) ? base : nullptr;
}

/// True if a variable chooses among arrays somewhere inside.
bool choosesHandle(NodePtr node, std::string_view variable) {
    return ast::anywhere(node, [&](NodePtr each) {
        const NodePtr handle = chosenHandle(each);
        return handle && mentions(handle, variable);
    });
}

/// All variables that shift an index somewhere inside, or choose among arrays or elements of arrays
/// of the nest's own.
void noteShifting(NodePtr node, const Names& own, Names& names) {
    if (!node) return;
    if (const NodePtr handle = chosenHandle(node)) names.merge(ast::namesIn(handle));
    if (const NodePtr subscripts = subscriptsOfOwn(node, own))
        names.merge(ast::namesIn(subscripts));
    if (const auto use = ast::asIndexSubscript(node)) {
        if (use->distance) names.merge(ast::namesIn(use->distance));
        return;
    }
    for (const NodePtr child : node->children()) noteShifting(child, own, names);
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

template <class Statements>
bool declares(const Statements& statements) {
    return std::ranges::any_of(statements, ast::is<ast::Declaration>);
}

/// True if it might become other statements.
bool isWrittenOut(NodePtr node) { return ast::is<ast::If>(node) || ast::is<ast::For>(node); }

}  // namespace

NodePtr subscriptsOfOwn(NodePtr node, const Names& own) {
    if (!ast::is<ast::Subscript>(node)) return nullptr;
    const NodePtr base = node->child(ast::Subscript::base);
    const bool isArray =
        ast::is<ast::Identifier>(base) && base->type &&
        (base->type->kind == ast::TypeKind::CArray || ast::isStandardArray(base->type));
    return isArray && own.contains(base->text()) ? node->child(ast::Subscript::subscripts)
                                                 : nullptr;
}

std::optional<CountingLoop> ownLoop(NodePtr statement) {
    const auto loop = analysis::countingLoop(statement);
    return loop && loop->isOwn && loop->holdsBound() ? loop : std::nullopt;
}

LoopUse useOf(std::string_view variable, NodePtr body, const Names& own) {
    if (shiftsIndex(body, variable)) return LoopUse::ShiftsIndex;
    if (choosesHandle(body, variable)) return LoopUse::ChoosesArray;
    return goesOverOwn(body, variable, own) ? LoopUse::GoesOverOwn : LoopUse::None;
}

Names shiftingNames(NodePtr nest, const Names& own) {
    Names names;
    noteShifting(nest, own, names);
    return names;
}

std::vector<NodePtr> WrittenOut::iterations(const CountingLoop& loop,
                                            const std::vector<long>& values) {
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

std::variant<std::vector<long>, Obstacle> WrittenOut::valuesOf(const CountingLoop& loop) {
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
            return Obstacle{loop.statement,
                            "it has more than " + std::to_string(mostIterations) + " iterations"};
    }
    if (!ast::isCopyable(withoutGuards(body), mostNodesWrittenOut))
        return Obstacle{body,
                        "this is too long, or holds a jump, a switch, a lambda or C++ that is "
                        "not looked into"};
    return values;
}

bool WrittenOut::isTooMuch() const { return written_ > mostWritten; }

NodePtr WrittenOut::block(std::vector<NodePtr> statements, NodePtr origin) {
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

/// `{ const int d = 1; S }`
NodePtr WrittenOut::block(const CountingLoop& loop, long value, std::vector<NodePtr> statements) {
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

/// `if (c) continue; S` as `if (!(c)) S`.
NodePtr WrittenOut::withoutGuards(NodePtr body) {
    if (!ast::is<ast::Compound>(body)) return body;
    const auto statements = body->children();
    const auto guard = std::ranges::find_if(statements, isGuard);
    if (guard == statements.end()) return body;
    std::vector<NodePtr> result(statements.begin(), guard);
    const NodePtr rest = withoutGuards(block({guard + 1, statements.end()}, *guard));
    result.push_back(
        context_.statement("if (!($c)) $rest;",
                           {{"$c", (*guard)->child(ast::If::condition)}, {"$rest", rest}}, *guard));
    return block(std::move(result), body);
}

/// What a statement becomes where the variables have their values, without braces.
std::vector<NodePtr> WrittenOut::copies(NodePtr statement) {
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
        if (loop && useOf(loop->name->text(), statement, own_) != LoopUse::None) {
            const auto values = valuesOf(*loop);
            if (const auto* known = std::get_if<std::vector<long>>(&values))
                return iterations(*loop, *known);
        }
    }
    return {copy(statement)};
}

/// The same, in braces if names are declared.
std::vector<NodePtr> WrittenOut::inScope(NodePtr statement) {
    std::vector<NodePtr> parts = copies(statement);
    if (declares(parts)) return {block(std::move(parts), statement)};
    return parts;
}

NodePtr WrittenOut::copy(NodePtr node) {
    if (!node || isTooMuch()) return node;
    ++written_;
    if (ast::is<ast::Compound>(node)) return block(copies(node), node);
    if (const NodePtr subscript = shifted(node)) return subscript;
    const bool isAddress = ast::is<ast::Unary>(node) && analysis::operatorOf(node) == "&";
    if (isAddress) return ast::copy(context_.arena, node);
    if (const NodePtr number = tabulated(node)) return number;
    if (const NodePtr element = surelyThere(node)) return element;
    // Not where a reference may be bound to it.
    const bool isOperation = ast::isAny<ast::Binary, ast::Unary, ast::Assign>(node);
    std::vector<NodePtr> children;
    for (const NodePtr child : node->children())
        if (const NodePtr known = node->is<ast::Subscripts>() ? knownValue(child)
                                  : isOperation               ? valueOf(child)
                                                              : nullptr)
            children.push_back(known);
        else
            children.push_back(isWrittenOut(child) ? block(copies(child), child) : copy(child));
    return rebuilt(node, children);
}

NodePtr WrittenOut::rebuilt(NodePtr node, const std::vector<NodePtr>& children) {
    const NodePtr result = context_.arena.rebuilt(node, node, children);
    result->type = node->type;
    result->symbol = node->symbol;
    return result;
}

/// `std::abs(d)` as `1`: a subscript whose value follows from the variables; null for others.
NodePtr WrittenOut::knownValue(NodePtr subscript) {
    const auto value =
        depends(subscript) ? analysis::constantValue(subscript, constants_) : std::nullopt;
    return value && *value >= 0 ? ast::literal(context_.arena, std::to_string(*value), subscript)
                                : nullptr;
}

/// `2` of the name of a variable of type int; null of other nodes.
NodePtr WrittenOut::valueOf(NodePtr name) {
    const ast::Symbol* symbol = ast::is<ast::Identifier>(name) ? name->symbol : nullptr;
    if (!symbol || symbol->kind != ast::SymbolKind::Variable || !symbol->type ||
        symbol->type->spelled != "int")
        return nullptr;
    const auto value = constants_.find(name->text());
    if (value == constants_.end()) return nullptr;
    const NodePtr digits =
        ast::literal(context_.arena, std::to_string(std::abs(value->second)), name);
    digits->type = symbol->type;
    return value->second < 0 ? context_.expression("(-$d)", {{"$d", digits}}, name) : digits;
}

/// `v[2]` of `v.at(k)`, where v has more than two elements; null of other nodes.
NodePtr WrittenOut::surelyThere(NodePtr call) {
    const NodePtr container = askedAt(call);
    const auto length = container ? analysis::lengthOf(container) : std::nullopt;
    const auto place =
        length ? analysis::constantValue(call->child(ast::Call::arguments)->child(0), constants_)
               : std::nullopt;
    if (!place || *place < 0 || *place >= *length) return nullptr;
    const NodePtr made =
        context_.expression("$v[$k]",
                            {{"$v", ast::copy(context_.arena, container)},
                             {"$k", ast::literal(context_.arena, std::to_string(*place), call)}},
                            call);
    made->type = call->type;
    return made;
}

bool WrittenOut::depends(NodePtr e) const {
    return std::ranges::any_of(constants_,
                               [&](const auto& each) { return mentions(e, each.first); });
}

/// `weight[d + 1]` as `0.5`, where a constant table says so, in the type of its elements; null
/// for other expressions, and for elements of tables of the nest, which would be left unused.
NodePtr WrittenOut::tabulated(NodePtr element) {
    NodePtr table = element;
    while (ast::isAny<ast::Subscript, ast::Member>(table)) table = analysis::bare(table->child(0));
    const bool isNumber = ast::is<ast::Subscript>(element) && ast::isNumber(element->type) &&
                          !ast::multiarrayType(element->child(ast::Subscript::base)) &&
                          !own_.contains(table->text());
    const NodePtr value = isNumber && depends(element)
                              ? ast::withoutParentheses(analysis::writtenPart(element, constants_))
                              : nullptr;
    const bool isNegative = analysis::operatorOf(value) == "-" && ast::is<ast::Unary>(value);
    const NodePtr digits = isNegative ? value->child(ast::Unary::operand) : value;
    if (!ast::is<ast::NumberLiteral>(digits) || !digits->type) return nullptr;
    std::string text(digits->text());
    const bool isWhole = ast::asConstant(digits).has_value();
    if (element->type->spelled == "double" && digits->type->spelled == "int" && isWhole)
        text += ".0";
    else if (element->type->spelled != digits->type->spelled)
        return nullptr;
    const NodePtr made = ast::literal(context_.arena, text, element);
    made->type = element->type;
    return isNegative ? context_.expression("(-$d)", {{"$d", made}}, element) : made;
}

/// `i + d` as `i - 1`; null for other expressions.
NodePtr WrittenOut::shifted(NodePtr node) {
    const auto use = ast::asIndexSubscript(node);
    if (!use || !use->distance) return nullptr;
    const auto distance = analysis::constantDistance(*use, constants_);
    if (!distance) return nullptr;
    const long shift = *distance;
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

}  // namespace hpcc::nests
