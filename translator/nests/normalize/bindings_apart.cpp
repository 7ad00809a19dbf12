// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/bindings_apart.hpp"

#include <algorithm>

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

/// The declarations in the place of a binding; none in that of other statements.
std::vector<NodePtr> variablesOf(Context& context, NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return {};
    const auto declarators = ast::declaratorsOf(statement);
    const std::string words = ast::print(statement->child(ast::Declaration::specifiers));
    if (declarators.size() != 1 || (words != "auto" && words != "const auto")) return {};
    const NodePtr binding = declarators[0]->child(ast::InitDeclarator::declarator);
    const NodePtr object =
        analysis::singleInitializer(declarators[0]->child(ast::InitDeclarator::initializer));
    if (!ast::is<ast::StructuredBinding>(binding) || !object || !object->type ||
        object->type->isReference || !isRepeatable(object))
        return {};
    const auto names = binding->children();
    const std::vector<NodePtr> numbers = numbersOf(context, object);
    const auto mentionsName = [&](NodePtr name) { return mentions(object, name->text()); };
    if (numbers.size() != names.size() || std::ranges::any_of(names, mentionsName)) return {};
    std::vector<NodePtr> variables;
    for (size_t k = 0; k < names.size(); ++k)
        variables.push_back(context.statement(words + " $v = $e;",
                                              {{"$v", names[k]}, {"$e", numbers[k]}}, statement));
    return variables;
}

}  // namespace

NodePtr withBindingsApart(Context& context, NodePtr block) {
    std::vector<NodePtr> statements;
    bool isChanged = false;
    for (const NodePtr each : block->children()) {
        const std::vector<NodePtr> variables = variablesOf(context, each);
        isChanged = isChanged || !variables.empty();
        if (variables.empty())
            statements.push_back(each);
        else
            statements.insert(statements.end(), variables.begin(), variables.end());
    }
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
