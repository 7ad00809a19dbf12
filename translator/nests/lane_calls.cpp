// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/extremes.hpp"
#include "nests/lane_values.hpp"
#include "nests/vector_math.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {

using ast::NodePtr;

std::string_view mathematicalName(NodePtr callee) {
    const std::string_view text = callee->text();
    if (text.starts_with("std::")) return text.substr(5);
    return callee->symbol && callee->symbol->declaration ? "" : text;
}

namespace {

/// `double` of `<double>`; "" of others than these.
std::string numberIn(std::string_view templateArguments) {
    for (const std::string word : {"double", "float", "int", "long"})
        if (templateArguments == "<" + word + ">") return word;
    return "";
}

/// True if all that it names is of the standard library, or one of these.
bool namesOnly(NodePtr node, const Names& names) {
    if (ast::is<ast::QualifiedName>(node)) return node->text().starts_with("std::");
    if (ast::is<ast::Identifier>(node)) return names.contains(node->text());
    return !node || std::ranges::all_of(node->children(),
                                        [&](NodePtr each) { return namesOnly(each, names); });
}

}  // namespace

NodePtr LaneValues::call(NodePtr e) {
    const NodePtr callee = e->child(ast::Call::callee);
    if (const NodePtr operand = ast::convertedToNumber(e))
        return converted(e, laneWord(callee->symbol->type), operand);
    if (!extremeOf(e).empty()) return extreme(e);
    const std::string_view function = mathematicalName(callee);
    const auto arguments = e->child(ast::Call::arguments)->children();
    const bool isMagnitude = function == "abs" || function == "fabs";
    const bool isOfDoubles = arguments.size() == 1 && isDouble(arguments[0]->type);
    if (!isOfDoubles || (!isMagnitude && function != "sqrt")) return oneByOne(e);
    const NodePtr operand = value(arguments[0]);
    return operand ? context_.expression(std::string("hpspmd::detail::") +
                                             (isMagnitude ? "magnitude" : "root") + "($e)",
                                         {{"$e", operand}}, e)
                   : nullptr;
}

NodePtr LaneValues::extreme(NodePtr e) {
    const std::string_view callee = e->child(ast::Call::callee)->text(), function = extremeOf(e);
    const size_t begin = callee.find('<');  // `std::max<double>(v, 0)`
    const bool isOfType = begin != callee.npos;
    const std::string word = isOfType ? numberIn(callee.substr(begin)) : "";
    std::vector<NodePtr> numbers;
    for (const NodePtr each : offeredTo(e)) {
        numbers.push_back(isOfType ? converted(e, word, each) : value(each));
        if (!numbers.back()) return nullptr;
    }
    const auto of = [&](const char* wanted, NodePtr a, NodePtr b) {
        return context_.expression("hpspmd::detail::" + std::string(wanted) + "OfEach($a, $b)",
                                   {{"$a", a}, {"$b", b}}, e);
    };
    if (function == "clamp") return of("min", of("max", numbers[0], numbers[1]), numbers[2]);
    NodePtr result = numbers[0];
    for (size_t k = 1; k < numbers.size(); ++k)
        result = of(function == "max"    ? "max"
                    : function == "min"  ? "min"
                    : function == "fmax" ? "fmax"
                                         : "fmin",
                    result, numbers[k]);
    return result;
}

/// Of functions that compute from numbers, in those lanes that come here; in all of them if there
/// is one for several numbers at once.
NodePtr LaneValues::oneByOne(NodePtr e) {
    const NodePtr callee = e->child(ast::Call::callee);
    if (!analysis::isHarmlessCall(e) || laneWord(e->type).empty() ||
        !ast::isAny<ast::Identifier, ast::QualifiedName>(callee))
        return nullptr;
    std::vector<NodePtr> arguments;
    for (const NodePtr each : e->child(ast::Call::arguments)->children()) {
        arguments.push_back(value(each));
        if (!arguments.back()) return nullptr;
    }
    if (isOfMany(context_, e) && isDouble(e->type))
        return callOfMany(context_, e, std::move(arguments));
    const NodePtr function = ofFunction(e);
    return context_.expression(
        function ? "$f($arguments)"
                 : "$m.eachOf([&](const auto &...x) { return " + std::string(callee->text()) +
                       "(x...); }, $arguments)",
        {{"$m", name(mask, e)}, {"$f", function}, {"$arguments", arguments}}, e);
}

/// The function of a call as a lambda, if it returns an expression of its parameters.
NodePtr LaneValues::ofFunction(NodePtr e) {
    const NodePtr definition = analysis::definitionOf(e->child(ast::Call::callee));
    if (!ast::is<ast::FunctionDefinition>(definition) || !parameters_.empty()) return nullptr;
    const NodePtr body = definition->child(ast::FunctionDefinition::body);
    const NodePtr result = ast::is<ast::Compound>(body) && body->children().size() == 1 &&
                                   ast::is<ast::Return>(body->child(0))
                               ? body->child(0)->child(ast::Return::value)
                               : nullptr;
    std::string parameters;
    for (const NodePtr each : ast::parametersOf(definition)->children()) {
        const NodePtr parameter = ast::is<ast::Parameter>(each)
                                      ? ast::declaredName(each->child(ast::Parameter::declarator))
                                      : nullptr;
        const std::string word =
            parameter && parameter->symbol ? laneWord(parameter->symbol->type) : "";
        if (word.empty()) return parameters_.clear(), nullptr;
        parameters += (parameters.empty() ? "" : ", ") + ("const " + eachOf(word) + " &") +
                      std::string(parameter->text());
        parameters_.insert(parameter->text());
    }
    const NodePtr written =
        result && namesOnly(result, parameters_) && varies(result) ? value(result) : nullptr;
    parameters_.clear();
    return written
               ? context_.expression("[&](" + parameters + ") { return hpspmd::detail::numberAs<" +
                                         laneWord(e->type) + ">($e); }",
                                     {{"$e", written}}, e)
               : nullptr;
}

NodePtr LaneValues::converted(NodePtr e, const std::string& word, NodePtr operand) {
    const NodePtr inner = operand && !word.empty() ? value(operand) : nullptr;
    return inner ? context_.expression("hpspmd::detail::numberAs<" + word + ">($e)",
                                       {{"$e", inner}}, e)
                 : nullptr;
}

}  // namespace hpcc::nests
