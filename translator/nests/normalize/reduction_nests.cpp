// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/reduction_nests.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What a reduction does with its number and the next value; "" of other calls.
std::string_view stepOf(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    std::string_view name = callee->text();
    for (const std::string_view scope : {"hpspmd::", "Adlib::"})
        if (name.starts_with(scope)) name.remove_prefix(scope.size());
    if (!ast::isLibraryName(callee)) return "";
    if (name == "sum") return "$value += $e;";
    if (name == "product") return "$value *= $e;";
    if (name == "maxval") return "$value = std::max($old, $e);";
    return name == "minval" ? "$value = std::min($old, $e);" : "";
}

bool addsOrMultiplies(std::string_view step) { return step.find('(') == step.npos; }

/// Numbers narrower than an `int` would be calculated with as `int`.
bool isNumberFor(std::string_view step, const ast::Type* type) {
    if (!ast::isNumber(type) || type->kind == ast::TypeKind::Bool) return false;
    return type->kind == ast::TypeKind::Floating || !addsOrMultiplies(step) ||
           type->number.bits >= 32;
}

/// True if it may be written twice, and one of both evaluated.
bool isRepeatable(NodePtr node) {
    if (!node) return true;
    const bool isKnown = !ast::is<ast::Lambda>(node) && !ast::is<ast::OpaqueExpression>(node) &&
                         !ast::changedOperand(node) &&
                         (!ast::is<ast::Call>(node) || analysis::isHarmlessCall(node));
    return isKnown && std::ranges::all_of(node->children(), isRepeatable);
}

class ReductionNests : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    /// In the arguments of a macro no directive may stand, as each line of a nest has one.
    NodePtr rewriteCall(NodePtr call) override {
        if (surroundings().macros().mayBeMacro(call)) return call;
        const auto arguments = call->child(ast::Call::arguments)->children();
        const NodePtr values = arguments.size() == 1 ? arguments[0] : nullptr;
        const std::string_view step = ast::is<ast::OverallExpression>(values) ? stepOf(call) : "";
        if (step.empty() || !canBeNest(step, values)) return rewriteChildren(call);
        return withNest(call, step, values);
    }

private:
    static bool canBeNest(std::string_view step, NodePtr values) {
        std::unordered_set<std::string_view> indices;
        for (const NodePtr header : values->child(ast::OverallExpression::headers)->children()) {
            const NodePtr range = header->child(ast::OverallHeader::range);
            if (!ast::isPure(range)) return false;
            for (const std::string_view name : ast::namesIn(range))
                if (indices.contains(name)) return false;
            indices.insert(header->child(ast::OverallHeader::index)->text());
        }
        return isNumberFor(step, values->child(ast::OverallExpression::expression)->type) &&
               isRepeatable(values) && !ast::holdsDirective(values->origin()->text());
    }

    NodePtr withNest(NodePtr call, std::string_view step, NodePtr values) {
        const auto headers = values->child(ast::OverallExpression::headers)->children();
        ast::FreshNames::Given given;
        const std::string name = context.names.name("value", given);
        std::vector<NodePtr> statements;
        NodePtr nest = stepWith(step, name, values);
        for (size_t depth = headers.size(); depth-- > 0;) {
            const NodePtr header = ast::copy(context.arena, headers[depth]);
            nest = overall(withSimpleRange(header, given, statements), nest);
        }
        statements.push_back(nest);
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

    NodePtr stepWith(std::string_view step, const std::string& name, NodePtr values) {
        const NodePtr e = values->child(ast::OverallExpression::expression);
        const ast::Type* type = e->type;
        NodePtr next = ast::copy(context.arena, e);
        if (addsOrMultiplies(step) && type->kind == ast::TypeKind::Integer &&
            type->number.isSigned) {
            type = wrapping(*type);
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
    const ast::Type* wrapping(const ast::Type& type) {
        ast::Type result;
        result.kind = ast::TypeKind::Integer;
        result.number = {type.number.bits, false};
        result.spelled = type.number.bits == 32 ? "unsigned" : "unsigned long";
        return context.arena.makeType(result);
    }

    /// Its range by a name.
    NodePtr withSimpleRange(NodePtr header, ast::FreshNames::Given& given,
                            std::vector<NodePtr>& statements) {
        const NodePtr range = header->child(ast::OverallHeader::range);
        if (ast::isSimple(range)) return header;
        const std::string index(header->child(ast::OverallHeader::index)->text());
        const std::string name = context.names.name(index + "_range", given);
        statements.push_back(context.statement(
            "const hpspmd::Range $name = $range;",
            {{"$name", context.variable(name, range->type, range)}, {"$range", range}}, range));
        return ast::withChild(context.arena, header, ast::OverallHeader::range,
                              context.variable(name, range->type, range));
    }

    NodePtr overall(NodePtr header, NodePtr body) {
        const NodePtr shape =
            context.statement("overall (i = x for :) $body;", {{"$body", body}}, header);
        const NodePtr headers = context.arena.rebuilt(shape->child(ast::Overall::headers), header,
                                                      std::span(&header, 1));
        return ast::withChild(context.arena, shape, ast::Overall::headers, headers);
    }
};

}  // namespace

ast::Unit reductionNests(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<ReductionNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
