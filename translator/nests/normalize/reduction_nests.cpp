// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/reduction_nests.hpp"

#include "nests/normalize/expression_nests.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What a reduction does with its number and the next value; "" of other calls.
std::string_view stepOf(NodePtr call) {
    const std::string_view name = libraryFunction(call);
    if (name == "sum" || name == "count") return "$value += $e;";
    if (name == "product") return "$value *= $e;";
    if (name == "maxval") return "$value = std::max($old, $e);";
    return name == "minval" ? "$value = std::min($old, $e);" : "";
}

bool addsOrMultiplies(std::string_view step) { return step.find('(') == step.npos; }

/// Numbers narrower than an `int` would be calculated with as `int`.
bool isNumberFor(NodePtr call, std::string_view step, NodePtr e) {
    const ast::Type* const type = e->type;
    if (!ast::isNumber(type)) return false;
    if (libraryFunction(call) == "count") return !ast::is<ast::OverallExpression>(e);
    if (type->kind == ast::TypeKind::Bool) return false;
    return type->kind == ast::TypeKind::Floating || !addsOrMultiplies(step) ||
           type->number.bits >= 32;
}

class ReductionNests : public ExpressionNests {
public:
    using ExpressionNests::ExpressionNests;

    /// In the arguments of a macro no directive may stand, as each line of a nest has one.
    NodePtr rewriteCall(NodePtr call) override {
        if (surroundings().macros().mayBeMacro(call)) return call;
        const auto arguments = call->child(ast::Call::arguments)->children();
        const NodePtr values = arguments.size() == 1 ? arguments[0] : nullptr;
        const std::string_view step = ast::is<ast::OverallExpression>(values) ? stepOf(call) : "";
        const bool isNest =
            !step.empty() &&
            isNumberFor(call, step, values->child(ast::OverallExpression::expression)) &&
            canBeNest(values, false);
        return isNest ? withNest(call, step, values) : rewriteChildren(call);
    }

private:
    NodePtr withNest(NodePtr call, std::string_view step, NodePtr values) {
        ast::FreshNames::Given given;
        const std::string name = context.names.name("value", given);
        const std::vector<NodePtr> statements =
            nestOver(headersOf(values), stepWith(call, step, name, values), given);
        return context.expression(
            "$reduction(hpspmd::detail::withNest($values, [&](auto $start) {\n"
            "    $statements;\n"
            "    return $end;\n"
            "}))",
            {{"$reduction", call->child(ast::Call::callee)},
             {"$values", values},
             {"$start", context.identifier(name, call)},
             {"$statements", statements},
             {"$end", context.identifier(name, call)}},
            call);
    }

    NodePtr stepWith(NodePtr call, std::string_view step, const std::string& name, NodePtr values) {
        const NodePtr e = values->child(ast::OverallExpression::expression);
        const ast::Type* type = e->type;
        NodePtr next = ast::copy(context.arena, e);
        if (libraryFunction(call) == "count") {
            type = wrapping(64);
            next = context.expression("($e) ? 1UL : 0UL", {{"$e", next}}, e);
            next->type = type;
        } else if (addsOrMultiplies(step) && type->kind == ast::TypeKind::Integer &&
                   type->number.isSigned) {
            type = wrapping(type->number.bits);
            next = context.expression("static_cast<" + type->spelled + ">($e)", {{"$e", next}}, e);
            next->type = type;
        }
        const NodePtr result = context.variable(name, type, e),
                      old = context.variable(name, type, e);
        ast::Symbol symbol = *result->symbol;
        symbol.declaration = values;
        result->symbol = old->symbol = context.arena.makeSymbol(symbol);
        const NodePtr statement =
            context.statement(step, {{"$value", result}, {"$old", old}, {"$e", next}}, e);
        if (!addsOrMultiplies(step)) {
            const NodePtr kept = soleAssignment(statement)->child(ast::Assign::value);
            kept->type = type;
            ast::Symbol mathematics;
            mathematics.kind = ast::SymbolKind::Function;
            mathematics.result = ast::RuntimeResult::SameNumber;
            kept->child(ast::Call::callee)->symbol = context.arena.makeSymbol(mathematics);
        }
        return statement;
    }

    /// The library adds up integers modulo 2^n (adlib/operators.hpp).
    const ast::Type* wrapping(std::uint8_t bits) {
        ast::Type result;
        result.kind = ast::TypeKind::Integer;
        result.number = {bits, false};
        result.spelled = bits == 32 ? "unsigned" : "unsigned long";
        return context.arena.makeType(result);
    }
};

}  // namespace

ast::Unit reductionNests(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<ReductionNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
