// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/instance_types.hpp"

#include <algorithm>
#include <string_view>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

const ast::Symbol* typeParameterOf(const ast::Type* type) {
    const bool isParameter = type && type->isDependent && !type->element &&
                             type->arguments.empty() && type->slots.empty() && type->classSymbol &&
                             type->classSymbol->kind == ast::SymbolKind::TemplateParameter;
    return isParameter ? type->classSymbol : nullptr;
}

const ast::Type* undeducedType() {
    static const ast::Type type;
    return &type;
}

bool isOfTemplate(NodePtr expression) {
    const Descent descent;
    return !descent.isTooDeep() && ast::anywhere(expression, [](NodePtr each) {
        const ast::Symbol* const symbol = each->symbol;
        return (each->type && each->type->isDependent) ||
               (symbol && symbol->type && symbol->type->isDependent) ||
               (symbol && symbol->type == undeducedType() && isOfTemplate(symbol->initializer));
    });
}

namespace {

ast::Type builtIn(ast::TypeKind kind, const char* word) {
    ast::Type type;
    type.kind = kind;
    type.spelled = word;
    return type;
}
const ast::Type& doubleType() {
    static const ast::Type type = builtIn(ast::TypeKind::Floating, "double");
    return type;
}

InstanceType under(Premise premise, InstanceType type) {
    type.premise = std::max(type.premise, premise);
    return type;
}

bool isSame(const ast::Type* a, const ast::Type* b) {
    const ast::Symbol* const parameter = typeParameterOf(a);
    if (parameter || typeParameterOf(b)) return parameter == typeParameterOf(b);
    return a->kind == b->kind && a->spelled == b->spelled;
}

/// Of a number of type T, which is no parameter, that T becomes an int at most.
bool isWithinInt(const ast::Type& type) {
    return type.kind == ast::TypeKind::Bool ||
           (type.kind == ast::TypeKind::Integer && type.number.bits > 0 &&
            (type.number.bits < 32 || (type.number.bits == 32 && type.number.isSigned)));
}

/// Of two operands of `+`, `*` or `?:` of which one at least is of a parameter's type.
InstanceType common(InstanceType left, InstanceType right) {
    if (!left.type || !right.type) return {};
    const Premise premise = std::max(left.premise, right.premise);
    const ast::Symbol *const a = typeParameterOf(left.type), *const b = typeParameterOf(right.type);
    if (!a) std::swap(left, right);
    if (a && b) return a == b ? InstanceType{left.type, premise} : InstanceType{};
    const ast::Type& other = *right.type;
    if (other.kind == ast::TypeKind::Floating)
        return other.spelled.ends_with("double") && other.spelled.find("long") == std::string::npos
                   ? InstanceType{right.type, premise}
                   : InstanceType{};
    return under(isWithinInt(other) ? Premise::NoNarrowNumbers : Premise::FloatingNumbers,
                 {left.type, premise});
}

InstanceType operated(std::string_view op, InstanceType left, InstanceType right) {
    if (!left.type || !right.type) return {};
    static const ast::Type truth = builtIn(ast::TypeKind::Bool, "bool");
    for (const std::string_view each : {"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
        if (op == each) return {&truth, std::max(left.premise, right.premise)};
    for (const std::string_view each : {"+", "-", "*", "/"})
        if (op == each) return under(Premise::NoNarrowNumbers, common(left, right));
    return {};
}

/// Of a mathematical function: of numbers of one type. A double or an integer beside them makes all
/// of them doubles, but for `std::max`.
InstanceType computed(NodePtr call) {
    const std::string_view name = call->child(ast::Call::callee)->text();
    const bool isChoice =
        name == "max" || name == "min" || name.ends_with(":max") || name.ends_with(":min");
    InstanceType all{nullptr, isChoice ? Premise::Numbers : Premise::FloatingNumbers};
    bool isWide = false, areAlike = true;
    for (const NodePtr each : call->child(ast::Call::arguments)->children()) {
        const InstanceType own = typeInInstances(each);
        if (!own.type) return {};
        isWide = isWide || (!typeParameterOf(own.type) && own.type->spelled != "float");
        areAlike = areAlike && (!all.type || isSame(all.type, own.type));
        all = {own.type, std::max(all.premise, own.premise)};
    }
    if (isWide && !isChoice) return {&doubleType(), all.premise};
    return areAlike && name.find('<') == name.npos ? all : InstanceType{};
}

InstanceType called(NodePtr call) {
    if (convertsToParameter(call)) return {call->child(ast::Call::callee)->symbol->type};
    if (typeParameterOf(call->type)) return {call->type};
    if (ast::isMathematical(call->child(ast::Call::callee))) return computed(call);
    const NodePtr definition = definitionOf(call->child(ast::Call::callee));
    return definition ? resultInInstances(definition) : InstanceType{};
}

}  // namespace

InstanceType typeInInstances(NodePtr e) {
    const Descent descent;
    if (!e || descent.isTooDeep()) return {};
    if (ast::is<ast::EqualInitializer>(e)) return typeInInstances(e->child(0));
    if (ast::isAny<ast::BracedInitializer, ast::Arguments>(e))
        return e->children().size() == 1 ? typeInInstances(e->child(0)) : InstanceType{};
    e = ast::withoutParentheses(e);
    const bool isNumber = ast::isNumber(e->type) && !e->type->isDependent;
    if (isNumber || !isOfTemplate(e)) return {isNumber ? e->type : nullptr};
    switch (e->kind()) {
    case ast::Kind::Identifier:
        if (e->symbol && e->symbol->type == undeducedType())
            return typeInInstances(e->symbol->initializer);
        return {typeParameterOf(e->type) ? e->type : nullptr};
    case ast::Kind::Subscript:
    case ast::Kind::Cast:
    case ast::Kind::NamedCast:
    case ast::Kind::FunctionalCast:
        return {typeParameterOf(e->type) ? e->type : nullptr};
    case ast::Kind::Call:
        return called(e);
    case ast::Kind::Binary:
        return operated(e->child(ast::Binary::op)->text(),
                        typeInInstances(e->child(ast::Binary::left)),
                        typeInInstances(e->child(ast::Binary::right)));
    case ast::Kind::Unary: {
        const std::string_view op = e->child(ast::Unary::op)->text();
        const bool isSign = op == "-" || op == "+";
        const InstanceType type = typeInInstances(e->child(ast::Unary::operand));
        return isSign && type.type ? under(Premise::NoNarrowNumbers, type) : InstanceType{};
    }
    case ast::Kind::Conditional: {
        const InstanceType a = typeInInstances(e->child(ast::Conditional::then)),
                           b = typeInInstances(e->child(ast::Conditional::otherwise));
        if (a.type && b.type && isSame(a.type, b.type)) return under(b.premise, a);
        return common(a, b);
    }
    default:
        return {};
    }
}

InstanceType resultInInstances(NodePtr definition) {
    const Descent descent;
    if (descent.isTooDeep()) return {};
    const ast::Type* const declared = definition->type ? definition->type->result : nullptr;
    if (ast::isNumber(declared) || typeParameterOf(declared)) return {declared};
    InstanceType all;
    for (const NodePtr each : ast::allOf<ast::Return>(definition)) {
        const InstanceType own = typeInInstances(each->child(ast::Return::value));
        if (!own.type || (all.type && !isSame(all.type, own.type))) return {};
        all = all.type ? under(own.premise, all) : own;
    }
    return all;
}

}  // namespace hpcc::analysis
