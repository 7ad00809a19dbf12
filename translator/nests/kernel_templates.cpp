// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_templates.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

using ast::NodePtr;

const ast::Type* convertedType(NodePtr expression) {
    const bool isOfTemplate = ast::is<ast::Call>(expression) && !ast::isNumber(expression->type) &&
                              analysis::convertsToParameter(expression);
    return isOfTemplate ? expression->child(ast::Call::callee)->symbol->type : expression->type;
}

bool isMathematicalOfTemplate(NodePtr call) {
    const NodePtr arguments = call->child(ast::Call::arguments);
    return ast::isMathematical(call->child(ast::Call::callee)) && isOfTemplate(arguments) &&
           std::ranges::none_of(arguments->children(),
                                [](NodePtr each) { return ast::isObject(each->type); });
}

/// The parameters of the class template whose member is defined outside of it.
static std::vector<const ast::Symbol*> parametersOfClass(NodePtr definition) {
    if (!ast::is<ast::FunctionDefinition>(definition)) return {};
    const NodePtr name = ast::declaredName(definition->child(ast::FunctionDefinition::declarator));
    NodePtr owner =
        ast::is<ast::QualifiedName>(name) ? name->child(ast::QualifiedName::qualifier) : nullptr;
    if (ast::is<ast::TemplateName>(owner)) owner = owner->child(ast::TemplateName::name);
    const ast::Scope* const members = owner && owner->symbol ? owner->symbol->members : nullptr;
    const ast::Scope* const head = members ? members->parent() : nullptr;
    if (!head || head->kind() != ast::Scope::Kind::Template) return {};
    return {head->symbols().begin(), head->symbols().end()};
}

std::vector<TypeParameter> typeParametersRound(const Plans& plans, NodePtr place) {
    std::vector<TypeParameter> all;
    const source::Span inner = place->origin()->span();
    for (const NodePtr each : plans.templates) {
        const source::Span outer = each->origin()->span();
        const bool isRound =
            outer.text == inner.text && outer.begin <= inner.begin && inner.end <= outer.end;
        if (!isRound) continue;
        const auto parameters = each->child(ast::Template::parameters)->children();
        const auto ofClass = parametersOfClass(each->child(ast::Template::declaration));
        for (size_t k = 0; k < parameters.size(); ++k)
            if (ast::is<ast::TypeParameter>(parameters[k]) && parameters[k]->symbol &&
                typeParameterOf(parameters[k]->symbol->type) &&
                parameters[k]->text().find("...") == std::string_view::npos)
                all.push_back({parameters[k]->symbol, k < ofClass.size() ? ofClass[k] : nullptr});
    }
    return all;
}

const ast::Type* KernelCode::numberType(NodePtr expression) {
    const analysis::InstanceType type = analysis::typeInInstances(expression);
    if (type.type) functions.records.need(type.premise);
    return type.type;
}

const ast::Type* KernelCode::typeOfName(NodePtr name) {
    const ast::Type* const type = name->symbol->type;
    return type == analysis::undeducedType() ? numberType(name) : type;
}

/// That in the instance one of the overloads takes exactly these numbers.
void KernelCode::requireOne(NodePtr node, const std::vector<const ast::Symbol*>& choices) {
    std::string given;
    for (const NodePtr each : node->child(ast::Call::arguments)->children())
        given += (given.empty() ? "" : ", ") + functions.records.spelled(numberType(each));
    given = "void(" + given + ")";
    for (const ast::Symbol* each : choices) {
        std::string own;
        for (const ast::Type* parameter : each->type->parameters)
            own += (own.empty() ? "" : ", ") + functions.records.spelled(parameter);
        if (each->type->parameters.size() != node->child(ast::Call::arguments)->children().size())
            fail(node, "calls " + quoted(ast::print(node->child(ast::Call::callee))) +
                           " without all its arguments");
        given += ", void(" + own + ")";
    }
    functions.records.require("std::bool_constant<hpspmd::detail::isOneOf<" + given + ">>()");
}

/// Of numbers whose types the instance tells: floating ones, which C++ asks before it runs. Those
/// of one type give that, an integer or a double beside them makes all of them doubles.
NodePtr KernelCode::mathematicalOfTemplate(NodePtr node, const std::string& function) {
    const auto arguments = node->child(ast::Call::arguments)->children();
    const bool isChoice = function == "larger" || function == "smaller";
    if (!isChoice) functions.records.need(analysis::Premise::FloatingNumbers);
    std::vector<std::string> words;
    for (const NodePtr each : arguments)
        words.push_back(isChoice ? "" : functions.records.numberOf(numberType(each)));
    const auto isWide = [&](const std::string& word) {
        return !word.empty() && word != "float" && !functions.records.isTypeParameter(word);
    };
    const bool isUniform = !words.front().empty() && std::ranges::count(words, words.front()) ==
                                                         static_cast<std::ptrdiff_t>(words.size());
    const bool areDoubles = !isChoice && std::ranges::any_of(words, isWide);
    if (!isChoice && !areDoubles && !isUniform && words.size() > 1)
        return fail(node, "calls " + quoted(ast::print(node->child(ast::Call::callee))) +
                              " for numbers of several types, which the template's instances tell");
    std::string text;
    for (const NodePtr each : arguments) {
        const std::string argument = ast::print(copied(each));
        text += (text.empty() ? "" : ", ") + (areDoubles ? "(double)(" + argument + ")" : argument);
    }
    return context.identifier((function == "abs" ? "fabs" : function) + "(" + text + ")", node);
}

}  // namespace hpcc::nests
