// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/bindings_apart.hpp"

#include <algorithm>
#include <span>

#include "analysis/constant.hpp"
#include "analysis/lengths.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/subscripts.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The numbers that an object consists of; none of one that has others.
std::vector<NodePtr> numbersOf(Context& context, NodePtr object) {
    std::vector<NodePtr> numbers;
    if (const ast::Type* const element = analysis::plainElementOf(object->type)) {
        const auto length = analysis::lengthOf(object).value_or(0);
        for (long k = 0; ast::isNumber(element) && k < length; ++k) {
            numbers.push_back(context.expression(
                "$e[$k]",
                {{"$e", ast::copy(context.arena, object)}, {"$k", context.number(k, object)}},
                object));
            numbers.back()->type = element;
        }
    } else if (ast::isObject(object->type) && analysis::isPlainValue(object->type)) {
        for (const ast::Symbol* field : analysis::fieldsOf(object->type)) {
            if (!ast::isNumber(field->type) || field->type->isReference) return {};
            numbers.push_back(memberOf(context, ast::copy(context.arena, object), *field, object));
        }
    }
    return numbers;
}

/// What a statement becomes: of a binding, the declarations of those names that are used behind it.
std::vector<NodePtr> withVariables(Context& context, NodePtr statement,
                                   std::span<const NodePtr> behind) {
    if (!ast::is<ast::Declaration>(statement)) return {statement};
    const auto declarators = ast::declaratorsOf(statement);
    const std::string words = ast::print(statement->child(ast::Declaration::specifiers));
    if (declarators.size() != 1 || (words != "auto" && words != "const auto")) return {statement};
    const NodePtr binding = declarators[0]->child(ast::InitDeclarator::declarator);
    const NodePtr object =
        analysis::singleInitializer(declarators[0]->child(ast::InitDeclarator::initializer));
    if (!ast::is<ast::StructuredBinding>(binding) || !object || !object->type ||
        object->type->isReference || !isRepeatable(object))
        return {statement};
    const auto names = binding->children();
    const std::vector<NodePtr> numbers = numbersOf(context, object);
    const auto mentionsName = [&](NodePtr name) { return mentions(object, name->text()); };
    if (numbers.size() != names.size() || std::ranges::any_of(names, mentionsName))
        return {statement};
    std::vector<NodePtr> variables;
    for (size_t k = 0; k < names.size(); ++k)
        if (std::ranges::any_of(behind,
                                [&](NodePtr each) { return mentions(each, names[k]->text()); }))
            variables.push_back(context.statement(
                words + " $v = $e;", {{"$v", names[k]}, {"$e", numbers[k]}}, statement));
    return variables;
}

}  // namespace

NodePtr withBindingsApart(Context& context, NodePtr block) {
    std::vector<NodePtr> statements;
    bool isChanged = false;
    const auto all = block->children();
    for (size_t k = 0; k < all.size(); ++k) {
        const auto variables = withVariables(context, all[k], all.subspan(k + 1));
        isChanged = isChanged || variables.size() != 1 || variables.front() != all[k];
        append(statements, variables);
    }
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
