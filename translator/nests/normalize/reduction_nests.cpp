// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/reduction_nests.hpp"

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ast/effects.hpp"
#include "nests/normalize/expression_nests.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What a reduction does with its number and the next value.
struct Step {
    std::string_view reduction, statement;  // "" of other calls

    bool counts() const { return reduction == "count"; }  // values that are true
};

Step stepOf(std::string_view reduction) {
    if (reduction == "count") return {reduction, "if ($e) ++$value;"};
    if (reduction == "sum") return {reduction, "$value += $e;"};
    if (reduction == "product") return {reduction, "$value *= $e;"};
    if (reduction == "maxval") return {reduction, "$value = std::max($old, $e);"};
    return {reduction, reduction == "minval" ? "$value = std::min($old, $e);" : ""};
}

bool addsOrMultiplies(const Step& step) {
    return step.counts() || step.statement.find('(') == step.statement.npos;
}

/// Numbers narrower than an `int` would be calculated with as `int`.
bool isNumberFor(const Step& step, const ast::Type* type) {
    if (step.counts() || !ast::isNumber(type)) return ast::isNumber(type);
    if (type->kind == ast::TypeKind::Bool) return false;
    return type->kind == ast::TypeKind::Floating || !addsOrMultiplies(step) ||
           type->number.bits >= 32;
}

/// `overall (i = x for t) overall (j = y for u) e`
struct Values {
    std::vector<NodePtr> headers;
    NodePtr expression;
};

class ReductionNests : public ExpressionNests {
public:
    using ExpressionNests::ExpressionNests;

    /// In the arguments of a macro no directive may stand, as each line of a nest has one.
    NodePtr rewriteCall(NodePtr call) override {
        if (surroundings().macros().mayBeMacro(call)) return call;
        const auto arguments = call->child(ast::Call::arguments)->children();
        const NodePtr values = arguments.size() == 1 ? arguments[0] : nullptr;
        const Step step =
            ast::is<ast::OverallExpression>(values) ? stepOf(libraryFunction(call)) : Step();
        const auto nest = step.statement.empty() ? std::nullopt : nestFor(values);
        if (!nest || !isNumberFor(step, nest->expression->type)) return rewriteChildren(call);
        return withNest(call, step, values, *nest);
    }

private:
    /// What the values are of; nothing if they cannot be a nest.
    static std::optional<Values> nestFor(NodePtr values) {
        Values result;
        std::unordered_set<std::string_view> indices;
        for (; ast::is<ast::OverallExpression>(values); values = expressionOf(values)) {
            if (!canBeNest(values, false)) return std::nullopt;
            for (const NodePtr header : headersOf(values))
                for (const std::string_view name :
                     ast::namesIn(header->child(ast::OverallHeader::range)))
                    if (indices.contains(name)) return std::nullopt;
            for (const NodePtr header : headersOf(values)) {
                indices.insert(indexOf(header)->text());
                result.headers.push_back(header);
            }
        }
        result.expression = values;
        return result;
    }

    NodePtr withNest(NodePtr call, const Step& step, NodePtr values, const Values& nest) {
        ast::FreshNames::Given given;
        const std::string name = context.names.name("value", given),
                          use = context.names.name("use", given);
        const std::vector<NodePtr> statements =
            nestOver(nest.headers, stepWith(step, name, nest.expression, values), given);
        return context.expression(
            "$reduction(hpspmd::detail::withNest([&](const auto &$use) {\n"
            "    return $used($values);\n"
            "}, [&](auto $start) {\n"
            "    $statements;\n"
            "    return $end;\n"
            "}))",
            {{"$reduction", call->child(ast::Call::callee)},
             {"$values", values},
             {"$use", context.identifier(use, call)},
             {"$used", context.identifier(use, call)},
             {"$start", context.identifier(name, call)},
             {"$statements", statements},
             {"$end", context.identifier(name, call)}},
            call);
    }

    NodePtr stepWith(const Step& step, const std::string& name, NodePtr e, NodePtr values) {
        const ast::Type* type = e->type;
        NodePtr next = ast::copy(context.arena, e);
        if (step.counts()) {
            type = wrapping(64);
        } else if (addsOrMultiplies(step) && type->kind == ast::TypeKind::Integer &&
                   type->number.isSigned) {
            type = wrapping(type->number.bits);
            next = context.expression("static_cast<" + type->spelled + ">($e)", {{"$e", next}}, e);
            next->type = type;
        }
        const NodePtr value = context.variable(name, type, e);
        ast::Symbol symbol = *value->symbol;
        symbol.declaration = values;
        value->symbol = context.arena.makeSymbol(symbol);
        return reductionStep(context, step.reduction, value, next);
    }

    /// The library adds up integers modulo 2^n (adlib/operators.hpp).
    const ast::Type* wrapping(std::uint8_t bits) {
        return context.integerType(bits == 32 ? "unsigned" : "unsigned long", {bits, false});
    }
};

}  // namespace

NodePtr reductionStep(Context& context, std::string_view reduction, NodePtr value, NodePtr e) {
    const Step step = stepOf(reduction);
    const NodePtr statement = context.statement(
        step.statement, {{"$value", value}, {"$old", ast::copy(context.arena, value)}, {"$e", e}},
        e);
    if (addsOrMultiplies(step)) return statement;
    const NodePtr kept = soleAssignment(statement)->child(ast::Assign::value);
    kept->type = value->type;
    ast::Symbol mathematics;
    mathematics.kind = ast::SymbolKind::Function;
    mathematics.result = ast::RuntimeResult::SameNumber;
    kept->child(ast::Call::callee)->symbol = context.arena.makeSymbol(mathematics);
    return statement;
}

ast::Unit reductionNests(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<ReductionNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
