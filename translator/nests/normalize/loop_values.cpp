// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/loop_values.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "nests/normalize/dot_products.hpp"
#include "nests/normalize/expression_nests.hpp"
#include "nests/normalize/reduction_nests.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isReduction(std::string_view name) {
    constexpr std::array known = {"sum", "product", "maxval", "minval", "count"};
    return std::ranges::find(known, name) != known.end();
}

/// Executed once, whatever the number of iterations.
bool isStatic(NodePtr statement) {
    return ast::is<ast::Declaration>(statement) &&
           ast::isSpecifiedAsStatic(statement->child(ast::Declaration::specifiers));
}

NodePtr soleArgument(NodePtr call) {
    const auto arguments = call->child(ast::Call::arguments)->children();
    return arguments.size() == 1 ? arguments[0] : nullptr;
}

/// True of `Adlib::sum(a)` of an array; a count is of truths.
bool isOfArray(NodePtr call) {
    const NodePtr e = soleArgument(call);
    const NodePtr array = ast::is<ast::Section>(ast::withoutParentheses(e))
                              ? ast::withoutParentheses(e)->child(ast::Section::base)
                              : e;
    return ast::multiarrayType(array) && libraryFunction(call) != "count";
}

/// The calls of reductions that are evaluated whenever the expression or declaration is.
void collectReductions(const ast::MacroNames& macros, NodePtr node, std::vector<NodePtr>& calls) {
    if (!node || (ast::is<ast::Call>(node) && macros.mayBeMacro(node)) ||
        ast::isAny<ast::Lambda, ast::Conditional, ast::Sizeof, ast::OverallExpression>(node) ||
        (ast::is<ast::Binary>(node) && ast::isShortCircuit(node)))
        return;
    if (ast::is<ast::Call>(node) &&
        (isDotProduct(node) || (isReduction(libraryFunction(node)) && soleArgument(node))))
        return calls.push_back(node);
    for (const NodePtr child : node->children()) collectReductions(macros, child, calls);
}

NodePtr mentionOf(NodePtr node, std::string_view name) {
    NodePtr found = nullptr;
    ast::anywhere(node, [&](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->symbol && each->text() == name &&
               (found = each);
    });
    return found;
}

bool mentionsSymbol(NodePtr node, const ast::Symbol* symbol) {
    return ast::anywhere(node, [&](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->symbol == symbol;
    });
}

/// The values of an expression, by the nest that `reduction-nests` has given it.
bool readNest(Context& context, NodePtr values, LoopValue& value) {
    if (!ast::is<ast::Call>(values) ||
        ast::print(values->child(ast::Call::callee)) != "hpspmd::detail::withNest")
        return false;
    const auto lambdas = values->child(ast::Call::arguments)->children();
    const auto expressions = ast::allOf<ast::OverallExpression>(lambdas[0]);
    const auto statements = lambdas[1]->child(ast::Lambda::body)->children();
    if (expressions.empty() || statements.size() != 2) return false;
    const NodePtr parameter = lambdas[1]->child(ast::Lambda::parameters)->child(0);
    value.made = statements[0];
    const NodePtr number =
        mentionOf(value.made, parameter->child(ast::Parameter::declarator)->text());
    if (!number) return false;
    value.number = number->symbol;
    value.type = number->type;
    NodePtr e = expressions.front();
    while (ast::is<ast::OverallExpression>(e)) e = expressionOf(e);
    value.result = value.reduction == "count" ? context.indexType() : e->type;
    for (NodePtr nest = value.made; ast::is<ast::Overall>(nest);
         nest = nest->child(ast::Overall::body))
        for (const NodePtr header : nest->child(ast::Overall::headers)->children())
            value.ranges.push_back(header->child(ast::OverallHeader::range));
    return true;
}

/// The declaration of a number in a body, with a value that is the same everywhere.
std::optional<size_t> declarationOf(std::span<const NodePtr> body, const ast::Symbol* number) {
    for (size_t k = 0; k < body.size(); ++k) {
        const auto declared = numberDeclaredIn(body[k]);
        if (!declared || declared->name != number->name) continue;
        const NodePtr name = body[k]->child(ast::Declaration::declarators)->child(0)->child(0);
        const bool isFixed = ast::isPure(declared->start) && ast::namesIn(declared->start).empty();
        return name->symbol == number && isFixed ? std::optional(k) : std::nullopt;
    }
    return std::nullopt;
}

/// A number of the body that one statement of it makes.
bool readNumber(std::span<const NodePtr> body, NodePtr name, LoopValue& value) {
    if (!ast::is<ast::Identifier>(name) || !name->symbol) return false;
    const auto declared = declarationOf(body, name->symbol);
    if (!declared || *declared >= value.position || isStatic(body[*declared])) return false;
    const NodePtr statement = body[value.position];
    const NodePtr e = ast::is<ast::ExpressionStatement>(statement) ? statement->child(0) : nullptr;
    const bool isInPlace = ast::is<ast::Assign>(e) && e->child(ast::Assign::value) == value.call &&
                           isNamed(e->child(ast::Assign::target), name->text()) &&
                           e->child(ast::Assign::op)->text() == "=";
    std::vector<size_t> others;
    for (size_t k = *declared + 1; k < body.size(); ++k)
        if (k != value.position && mentionsSymbol(body[k], name->symbol) &&
            !(isInPlace && k > value.position))
            others.push_back(k);
    if (others.size() != 1 || others[0] > value.position) return false;
    value.made = body[others[0]];
    if (!ast::isAny<ast::Overall, ast::For>(value.made)) return false;
    value.start = numberDeclaredIn(body[*declared])->start;
    value.number = name->symbol;
    value.type = name->symbol->type;
    value.parts = {*declared, others[0]};
    return true;
}

/// Any other number, as `values += e;`: NaNs take no part in largest and least ones.
void readPlain(Context& context, NodePtr e, LoopValue& value) {
    const NodePtr number = context.variable("value", e->type, e);
    value.made = reductionStep(context, value.reduction, number, ast::copy(context.arena, e));
    value.number = number->symbol;
    value.type = e->type;
}

}  // namespace

std::string wordFor(const ast::Type* type) {
    if (!type) return "";
    std::string word = type->spelled;
    if (word.starts_with("const ")) word.erase(0, 6);
    if (type->kind == ast::TypeKind::Floating)
        return word == "double" || word == "float" ? word : "";
    return type->kind == ast::TypeKind::Integer && ast::numberNamed(word).bits >= 32 ? word : "";
}

std::vector<LoopValue> valuesIn(Context& context, const ast::MacroNames& macros,
                                std::span<const NodePtr> body) {
    std::vector<LoopValue> values;
    ast::FreshNames::Given given;
    for (size_t k = 0; k < body.size(); ++k) {
        std::vector<NodePtr> calls;
        if (ast::isAny<ast::ExpressionStatement, ast::Declaration, ast::Return>(body[k]) &&
            !isStatic(body[k]))
            collectReductions(macros, body[k], calls);
        for (const NodePtr call : calls) {
            LoopValue value{.call = call, .reduction = libraryFunction(call), .position = k};
            if (isDotProduct(call) || isOfArray(call)) {
                if (readArrayReduction(context, given, call, value)) values.push_back(value);
                continue;
            }
            const NodePtr e = ast::withoutParentheses(soleArgument(call));
            if (!readNest(context, e, value)) {
                const bool isOther =
                    value.reduction == "count" || ast::is<ast::OverallExpression>(e);
                value.result = isOther ? nullptr : e->type;
                if (!wordFor(value.result).empty() && !readNumber(body, e, value))
                    readPlain(context, e, value);
            }
            if (!wordFor(value.result).empty() && !wordFor(value.type).empty())
                values.push_back(value);
        }
    }
    return values;
}

}  // namespace hpcc::nests
