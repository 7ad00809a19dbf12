// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/results.hpp"

#include "ast/declarators.hpp"
#include "regions/combining.hpp"
#include "regions/parts.hpp"

namespace hpcc::regions {
namespace {

// The arguments of a method, `results` in place of its array.
std::string argumentsOf(const Method& method) {
    std::string text;
    for (const NodePtr each : ast::parametersOf(method.function)->children()) {
        const NodePtr parameter = attributedNode(each);
        const NodePtr name = ast::declaredName(parameter->child(ast::Parameter::declarator));
        text += text.empty() ? "" : ", ";
        if (!name) continue;  // an error, told where `self` is read
        text += method.arrays.contains(name->symbol) ? "results" : std::string(name->text());
    }
    return text;
}

}  // namespace

std::string Results::start(const std::string& object) const {
    const std::string& name = variable_.name;
    if (!combined_.operation.isSign())
        return "bool " + isNew_ + " = " +
               (combined_.isFree ? "true" : "!" + object + ".isFirst()") + "; ";
    const std::string way = "<hpspmd::detail::" + std::string(combined_.operation.type) + ">";
    if (!isNumber(variable_.type) && !isRecord(variable_.type))
        return libraryCall("startElements" + way, object + ", " + name) + "; ";
    return name + " = " + libraryCall("start" + way, object + ", " + name) + "; ";
}

std::string Results::take() const {
    return "hpspmd::detail::take(" + variable_.name + ", " + isNew_ + ", " + function() + ", ";
}

std::string Results::join(const std::string& object) const {
    const std::string& name = variable_.name;
    if (!combined_.operation.isSign())
        return name + " = " +
               libraryCall(combined_.operation.isOfAll() ? "joinAll" : "joinBy",
                           object + ", " + name + ", " + isNew_ + ", " + function()) +
               "; ";
    const std::string way = "<hpspmd::detail::" + std::string(combined_.operation.type) + ">";
    if (!isNumber(variable_.type) && !isRecord(variable_.type))
        return libraryCall("joinElements" + way, object + ", " + name) + "; ";
    return name + " = " + libraryCall("join" + way, object + ", " + name) + "; ";
}

std::string Results::function() const {
    const std::string sign(combined_.operation.sign);
    switch (combined_.operation.of) {
    case Operation::Of::Two:
        return "[](const auto& one, const auto& other) { return " + sign + "(one, other); }";
    case Operation::Of::All:
        return "[](const auto& results) { return " + sign + "(results); }";
    default:
        return "[&](auto& results) { return " + std::string(method_.name) + "(" +
               argumentsOf(method_) + "); }";
    }
}

}  // namespace hpcc::regions
