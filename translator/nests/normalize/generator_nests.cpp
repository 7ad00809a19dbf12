// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/generator_nests.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "nests/normalize/expression_nests.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

std::size_t rankOf(NodePtr values) {
    return values->child(ast::OverallExpression::headers)->children().size();
}

bool isGenerator(NodePtr argument) { return ast::is<ast::OverallExpression>(argument); }

/// The same locations in the same order, whatever the index is called.
bool areSameHeaders(NodePtr a, NodePtr b) {
    const auto text = [](NodePtr header, uint32_t part) {
        const NodePtr node = header->child(part);
        return node ? ast::print(node) : std::string();
    };
    return ast::isSimple(a->child(ast::OverallHeader::range)) &&
           text(a, ast::OverallHeader::range) == text(b, ast::OverallHeader::range) &&
           text(a, ast::OverallHeader::triplet) == text(b, ast::OverallHeader::triplet);
}

/// How many headers all generators begin with, the last ones apart, such that the first one's
/// indices may stand in all of them.
std::size_t commonHeaders(std::span<const NodePtr> generators) {
    const auto first = headersOf(generators.front());
    std::size_t count = first.size() - 1;
    for (const NodePtr each : generators.subspan(1)) {
        const auto own = headersOf(each);
        const auto names = ast::namesIn(each);
        std::size_t k = 0;
        const auto isFree = [&](std::string_view index) {
            return indexOf(own[k])->text() == index || !names.contains(index);
        };
        while (k < count && areSameHeaders(first[k], own[k]) && isFree(indexOf(first[k])->text()))
            ++k;
        count = k;
    }
    return count;
}

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
        if (!storeByRows(arguments, element))
            for (NodePtr& each : arguments)
                if (isGenerator(each)) each = withStores(each, element);
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
        return withStores(values, name,
                          nestOver(headersOf(values), stored(name, values, element), given));
    }
    NodePtr withStores(NodePtr values, const std::string& name,
                       const std::vector<NodePtr>& statements) {
        return context.expression(
            "hpspmd::detail::withStores($values, [&](const auto &$made) {\n"
            "    $statements;\n"
            "})",
            {{"$values", values},
             {"$made", context.identifier(name, values)},
             {"$statements", statements}},
            values);
    }

    /// The nest of the first generator stores the elements of all, row by row, if their outer
    /// headers are alike: rows are written once, in the order of memory, and what several read of
    /// one is near.
    bool storeByRows(std::vector<NodePtr>& arguments, const ast::Type* element) {
        std::vector<NodePtr> generators;
        std::ranges::copy_if(arguments, std::back_inserter(generators), isGenerator);
        const std::size_t common = generators.size() > 1 ? commonHeaders(generators) : 0;
        if (common == 0) return false;
        ast::FreshNames::Given given;
        const std::string name = context.names.name("made", given);
        std::vector<NodePtr> rows;
        for (const NodePtr each : generators) {
            const NodePtr own = withCommon(each, headersOf(generators.front()).first(common));
            for (const NodePtr statement :
                 nestOver(headersOf(own).subspan(common), stored(name, own, element), given))
                rows.push_back(statement);
        }
        const NodePtr body = context.statement("{\n    $rows;\n}", {{"$rows", rows}}, rows.front());
        const std::vector<NodePtr> nest =
            nestOver(headersOf(generators.front()).first(common), body, given);
        for (NodePtr& each : arguments)
            if (each == generators.front())
                each = withStores(each, name, nest);
            else if (isGenerator(each))
                each =
                    context.expression("hpspmd::detail::withStores($values, [](const auto &) {})",
                                       {{"$values", each}}, each);
        if (remarks)
            remarks->fired("generator-nests", generators.front(),
                           "the elements of " + std::to_string(generators.size()) +
                               " generators are stored row by row");
        return true;
    }

    /// The generator with these headers in place of its own first ones.
    NodePtr withCommon(NodePtr values, Headers common) {
        const NodePtr list = values->child(ast::OverallExpression::headers);
        std::vector<NodePtr> headers(list->children().begin(), list->children().end());
        std::map<std::string_view, NodePtr> indices;
        for (std::size_t k = 0; k < common.size(); ++k) {
            indices.emplace(indexOf(headers[k])->text(), common[k]);
            headers[k] = common[k];
        }
        const NodePtr e = withIndices(indices, expressionOf(values));
        const NodePtr made = ast::withChild(context.arena, values, ast::OverallExpression::headers,
                                            context.arena.rebuilt(list, list, headers));
        return ast::withChild(context.arena, made, ast::OverallExpression::expression, e);
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
    return rewritten<GeneratorNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
