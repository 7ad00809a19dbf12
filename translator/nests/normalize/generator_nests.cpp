// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/generator_nests.hpp"

#include <algorithm>
#include <span>

#include "nests/normalize/expression_nests.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

std::size_t rankOf(NodePtr values) {
    return values->child(ast::OverallExpression::headers)->children().size();
}

NodePtr expressionOf(NodePtr values) { return values->child(ast::OverallExpression::expression); }

/// The elements of a value whose slots are all `-`; null of anything else.
const ast::Type* elementOf(const ast::Type* type, std::size_t rank) {
    const bool isValue =
        type && type->kind == ast::TypeKind::Multiarray && type->slots.size() == rank &&
        std::ranges::count(type->slots, ast::SlotKind::Distributed) == static_cast<long>(rank);
    return isValue ? type->element : nullptr;
}

class GeneratorNests : public ExpressionNests {
public:
    using ExpressionNests::ExpressionNests;

    NodePtr rewriteCall(NodePtr call) override {
        if (surroundings().macros().mayBeMacro(call)) return call;
        const std::string_view name = libraryFunction(call);
        const NodePtr list = call->child(ast::Call::arguments);
        const ast::Type* element = name == "modarray"   ? ofArray(list->children())
                                   : name == "genarray" ? ofGenerators(list->children())
                                                        : nullptr;
        if (!ast::isNumber(element) || !std::ranges::all_of(list->children(), canBeStored))
            return rewriteChildren(call);
        std::vector<NodePtr> arguments(list->children().begin(), list->children().end());
        for (NodePtr& each : arguments)
            if (ast::is<ast::OverallExpression>(each)) each = withStores(each, element);
        return ast::withChild(context.arena, call, ast::Call::arguments,
                              context.arena.rebuilt(list, list, arguments));
    }

private:
    static bool canBeStored(NodePtr argument) {
        return !ast::is<ast::OverallExpression>(argument) || canBeNest(argument, true);
    }

    /// The elements of modarray(a, overall (..) ..); null if it is not known what they are.
    static const ast::Type* ofArray(std::span<const NodePtr> arguments) {
        for (std::size_t k = 1; k < arguments.size(); ++k)
            if (!ast::is<ast::OverallExpression>(arguments[k]) ||
                !elementOf(arguments[0]->type, rankOf(arguments[k])))
                return nullptr;
        return arguments.size() > 1 ? arguments[0]->type->element : nullptr;
    }

    /// .. of genarray(overall (..) .., other), if all are of one type.
    static const ast::Type* ofGenerators(std::span<const NodePtr> arguments) {
        if (arguments.empty() || !ast::is<ast::OverallExpression>(arguments[0])) return nullptr;
        const ast::Type* type = expressionOf(arguments[0])->type;
        for (std::size_t k = 1; type && k < arguments.size(); ++k) {
            const bool isGenerator = ast::is<ast::OverallExpression>(arguments[k]);
            const ast::Type* own =
                isGenerator ? expressionOf(arguments[k])->type : arguments[k]->type;
            const bool isAlike = isGenerator ? rankOf(arguments[k]) == rankOf(arguments[0])
                                             : k + 1 == arguments.size();
            if (!isAlike || !own || own->spelled != type->spelled) return nullptr;
        }
        return type;
    }

    NodePtr withStores(NodePtr values, const ast::Type* element) {
        ast::FreshNames::Given given;
        const std::string name = context.names.name("made", given);
        const std::vector<NodePtr> statements =
            nestOver(values, stored(name, values, element), given);
        return context.expression(
            "hpspmd::detail::withStores($values, [&](const auto &$made) {\n"
            "    $statements;\n"
            "})",
            {{"$values", values},
             {"$made", context.identifier(name, values)},
             {"$statements", statements}},
            values);
    }

    /// made[i, j] = e;
    NodePtr stored(const std::string& name, NodePtr values, const ast::Type* element) {
        const NodePtr e = expressionOf(values);
        const std::vector<NodePtr> indices = indicesOf(values);
        const NodePtr made = context.variable(name, arrayOf(element, indices.size()), e);
        ast::Symbol symbol = *made->symbol;
        symbol.declaration = values;
        made->symbol = context.arena.makeSymbol(symbol);
        const NodePtr shape =
            context.expression("$made[$index]", {{"$made", made}, {"$index", indices.front()}}, e);
        const NodePtr list = shape->child(ast::Subscript::subscripts);
        const NodePtr target = ast::withChild(context.arena, shape, ast::Subscript::subscripts,
                                              context.arena.rebuilt(list, list, indices));
        target->type = element;
        return context.statement("$target = $e;",
                                 {{"$target", target}, {"$e", ast::copy(context.arena, e)}}, e);
    }

    std::vector<NodePtr> indicesOf(NodePtr values) {
        std::vector<NodePtr> indices;
        for (const NodePtr header : values->child(ast::OverallExpression::headers)->children()) {
            const std::string name(header->child(ast::OverallHeader::index)->text());
            const NodePtr index = context.identifier(name, header);
            index->symbol = header->symbol;
            index->type = header->symbol ? header->symbol->type : nullptr;
            indices.push_back(index);
        }
        return indices;
    }

    const ast::Type* arrayOf(const ast::Type* element, std::size_t rank) {
        ast::Type type;
        type.kind = ast::TypeKind::Multiarray;
        type.element = element;
        type.slots.assign(rank, ast::SlotKind::Distributed);
        type.spelled = element->spelled + " [[-" + std::string(rank - 1, '-') + "]]";
        return context.arena.makeType(type);
    }
};

}  // namespace

ast::Unit generatorNests(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<GeneratorNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
