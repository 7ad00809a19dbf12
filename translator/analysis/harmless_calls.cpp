// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/harmless_calls.hpp"

#include <algorithm>
#include <utility>

#include "analysis/function_bodies.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {

bool isHarmlessCall(NodePtr call) { return FunctionBodies().isHarmless(call); }

bool mayAssignByCalls(const ast::Effects& effects) {
    return !std::ranges::all_of(effects.calls, isHarmlessCall);
}

bool isHarmlessFunction(NodePtr definition) {
    FunctionBodies bodies;
    return bodies.isHarmlessFunction(definition) && bodies.read.empty();
}

bool computesFromOwn(NodePtr definition) {
    FunctionBodies bodies;
    return bodies.isHarmlessFunction(definition) &&
           std::ranges::all_of(bodies.read, [](const ReadVariable& each) {
               return isOwnMember(each) && !each.isMemory && ast::isNumber(each.number->type) &&
                      !each.number->type->isReference;
           });
}

bool onlyChangesObject(NodePtr definition) {
    return FunctionBodies().isHarmlessFunction(definition, definition);
}

bool isHarmlessLambda(NodePtr lambda) { return FunctionBodies(true).isHarmlessLambda(lambda); }

bool isHarmlessForNumbers(NodePtr call) {
    return convertsToParameter(call) || FunctionBodies(true).isHarmless(call);
}

std::string numbersPremise(NodePtr call) {
    FunctionBodies bodies(true);
    bodies.isHarmless(call);
    std::string all;
    for (const std::string& each : bodies.parameters) all += (all.empty() ? "" : ", ") + each;
    return all.empty() ? "" : "hpspmd::detail::areNumbers<" + all + ">";
}

std::vector<ReadVariable> readByFunctions(NodePtr harmless) {
    FunctionBodies bodies(true);
    if (ast::is<ast::Call>(harmless))
        bodies.isHarmless(harmless);
    else  // whose operands stand there, with their members
        bodies.isHarmlessOperator(harmless), std::erase_if(bodies.read, isOwnMember);
    return std::move(bodies.read);
}

bool isOwnMember(const ReadVariable& variable) {
    return variable.number && variable.number->kind == ast::SymbolKind::Field &&
           variable.number->name == variable.name;
}

bool isHarmlessOperator(NodePtr expression) {
    return FunctionBodies().isHarmlessOperator(expression);
}

bool namesOwnPart(NodePtr subscript) { return FunctionBodies().namesOwnPart(subscript); }

bool isHarmlessConstructor(NodePtr definition) {
    return FunctionBodies().isHarmlessConstructor(definition);
}

bool isHarmlessInitializer(NodePtr initializer) {
    FunctionBodies bodies;
    return bodies.isHarmlessInitializer(initializer) && bodies.readsConstants();
}

}  // namespace hpcc::analysis
