// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_functions.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "nests/function_code.hpp"
#include "nests/kernel_words.hpp"
#include "nests/pattern_code.hpp"
#include "nests/plan.hpp"
#include "source/name.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Names of this spelling that mean something else than a variable, or a lambda round the nest,
/// which perhaps has a copy of it.
class OtherMeanings : public ast::Visitor {
public:
    OtherMeanings(const ast::Symbol& variable, NodePtr nest)
        : variable_(variable), nest_(nest->origin()->span()) {}

    bool areFound = false, isMet = false;

    void visitLambda(NodePtr node) override {
        const source::Span span = node->origin()->span();
        if (span.text == nest_.text && span.begin <= nest_.begin && nest_.begin < span.end)
            areFound = true;
        visitChildren(node);
    }

    void visitIdentifier(NodePtr node) override {
        if (node->text() != variable_.name) return;
        (node->symbol == &variable_ ? isMet : areFound) = true;
    }

private:
    const ast::Symbol& variable_;
    const source::Span nest_;
};

/// True if it is declared in one of the namespaces, as no member of a class.
bool isInNamespace(const ast::Symbol& function, const ast::Scope& scope,
                   std::set<const ast::Scope*>& seen) {
    if (!seen.insert(&scope).second) return false;
    for (const ast::Symbol* each : scope.symbols())
        if (each == &function || (each->kind == ast::SymbolKind::Namespace && each->members &&
                                  isInNamespace(function, *each->members, seen)))
            return true;
    return std::ranges::any_of(scope.included(), [&](const ast::Scope* other) {
        return other && isInNamespace(function, *other, seen);
    });
}

/// The class that has it as a member, in one of the namespaces; null if there is none.
const ast::Symbol* classWith(const ast::Symbol& function, const ast::Scope& scope) {
    for (const ast::Symbol* each : scope.symbols()) {
        const bool isClass = each->kind == ast::SymbolKind::Class;
        if (!each->members || !(isClass || each->kind == ast::SymbolKind::Namespace)) continue;
        if (isClass && each->members->findHere(function.name) == &function) return each;
        if (const ast::Symbol* inner = classWith(function, *each->members)) return inner;
    }
    return nullptr;
}

bool isStatic(NodePtr function) {
    return ast::isSpecifiedAs(function->child(ast::FunctionDefinition::specifiers), "static");
}

}  // namespace

bool KernelFunctions::isMemberOf(const ast::Type* object, const ast::Symbol* function) {
    const bool isKnown = function && ast::is<ast::FunctionDefinition>(function->declaration) &&
                         (source::isName(function->name) || function->name == "operator()") &&
                         !records.classOf(object).empty();
    return isKnown && !isStatic(function->declaration) && object->classSymbol->members &&
           object->classSymbol->members->findHere(function->name) == function;
}

/// The definition that a call by this name runs: no other one overrides it.
bool KernelFunctions::isOneFunction(NodePtr definition) const {
    if (ast::is<ast::Lambda>(definition) || isStatic(definition)) return true;
    std::set<const ast::Scope*> seen;
    const ast::Symbol& own = *definition->symbol;
    return plans_.scope && isInNamespace(own.generic ? *own.generic : own, *plans_.scope, seen);
}

bool KernelFunctions::isOfOneClass(const ast::Symbol* function) const {
    if (!function || function->kind != ast::SymbolKind::Function ||
        !ast::is<ast::FunctionDefinition>(function->declaration) ||
        isStatic(function->declaration) || !plans_.scope)
        return false;
    const ast::Symbol* const owner = classWith(*function, *plans_.scope);
    const NodePtr definition = owner ? owner->declaration : nullptr;
    return ast::is<ast::Class>(definition) && !definition->child(ast::Class::bases) &&
           !analysis::mayVary(function->declaration);
}

const std::vector<Captured>& KernelFunctions::capturedBy(NodePtr callee,
                                                         const std::string& outer) const {
    static const std::vector<Captured> none;
    if (!analysis::choicesOf(callee).empty()) return none;
    return captured_.at({analysis::definitionOf(callee), outer});
}

bool KernelFunctions::isKnownAtNest(const ast::Symbol& variable) const {
    if (!isLocal(variable)) return false;
    OtherMeanings others(variable, nest_);
    others.visit(plans_.root);
    return others.isMet && !others.areFound;
}

bool KernelFunctions::isLocal(const ast::Symbol& variable) const {
    std::set<const ast::Scope*> seen;
    return plans_.scope && !isInNamespace(variable, *plans_.scope, seen);
}

std::variant<PatternFunction, Obstacle> KernelFunctions::ofPattern(NodePtr function) {
    const bool isLambda = ast::is<ast::Lambda>(function);
    const ast::Symbol* const instance = function->type ? function->type->called : nullptr;
    const NodePtr definition = !isLambda  ? analysis::definitionOf(function)
                               : instance ? instance->declaration
                                          : function;
    const ast::Type* const type = isLambda ? function->type : analysis::calledType(function);
    if (!definition || !isOneFunction(definition))
        return Obstacle{
            function, "calls " + quoted(compact(ast::print(function))) + ", which no kernel knows"};
    names_.emplace(Known(definition, ""), "");  // so that it does not call itself
    PatternFunction result{context_.fresh(kernel_ + "_each"), {}, instance != nullptr};
    PatternCode code(context_, *this, definition, type ? type->result : nullptr, isLambda);
    auto text = code.write(result.name);
    if (Obstacle* obstacle = std::get_if<Obstacle>(&text)) return std::move(*obstacle);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    result.captured = code.captured();
    return result;
}

std::variant<std::string, Obstacle> KernelFunctions::overloads(
    NodePtr callee, const std::vector<const ast::Symbol*>& choices) {
    const std::string itself = "calls " + quoted(compact(ast::print(callee))) + ", ";
    const auto [known, isNew] =
        names_.emplace(Known(choices.front()->declaration, "overloads"), "");
    if (!isNew && known->second.empty()) return Obstacle{callee, itself + "which calls itself"};
    if (!isNew) return known->second;
    const std::string given = context_.fresh(kernel_ + "_" + std::string(callee->symbol->name));
    std::set<std::string> taken;
    for (const ast::Symbol* each : choices) {
        std::string words;
        for (const ast::Type* parameter : each->type->parameters)
            words += records.numberOf(parameter) + ", ";
        if (!taken.insert(words).second || words.find("long long") != words.npos)
            return Obstacle{callee, itself + "whose parameters no kernel tells apart"};
        if (records.wordOf(each->type->result).empty())
            return Obstacle{callee, itself + "which gives no number that a kernel knows"};
        FunctionCode code(context_, *this, each->declaration, each->type->result, nullptr, "");
        auto text = code.write(given);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&text))
            return Obstacle{obstacle->place, itself + "which " + obstacle->reason};
        text_ += "OVERLOADED " + std::get<std::string>(text);
        definitions_.push_back(each->declaration);
    }
    return known->second = given;
}

std::variant<std::string, Obstacle> KernelFunctions::called(NodePtr callee, const ast::Type* object,
                                                            const std::string& outer) {
    if (const auto choices = analysis::choicesOf(callee); !choices.empty())
        return overloads(callee, choices);
    const std::string name = ast::print(callee);
    const std::string itself = "calls " + quoted(compact(name)) + ", which ";
    const auto fail = [&](NodePtr place, const std::string& reason) {
        return Obstacle{place, reason.starts_with(itself) ? reason : itself + reason};
    };
    const NodePtr definition = analysis::definitionOf(callee);
    const bool isNamed = ast::isAny<ast::Identifier, ast::QualifiedName, ast::TemplateName>(callee);
    if (!definition || !(object || !outer.empty() || (isNamed && isOneFunction(definition))))
        return fail(callee, "no kernel knows");
    const auto [known, isNew] = names_.emplace(Known(definition, outer), "");
    if (!isNew && known->second.empty()) return fail(callee, "calls itself");
    if (!isNew) return known->second;
    const ast::Type* const type = analysis::calledType(callee);
    const ast::Type* result = type ? type->result : nullptr;
    if (type && records.wordOf(result).empty()) {
        const analysis::InstanceType own = analysis::resultInInstances(definition);
        result = own.type;
        records.need(own.premise);
    }
    if (records.wordOf(result).empty())
        return fail(callee, analysis::isOfTemplate(definition) && !result
                                ? "gives a number whose type the template's instances tell"
                                : "gives no number that a kernel knows");
    const std::string given = context_.fresh(kernel_ + "_" + std::string(callee->symbol->name));
    FunctionCode code(context_, *this, definition, result, object, outer);
    auto text = code.write(given);
    if (const Obstacle* obstacle = std::get_if<Obstacle>(&text))
        return fail(obstacle->place, obstacle->reason);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    captured_[known->first] = code.captured();
    return known->second = given;
}

}  // namespace hpcc::nests
