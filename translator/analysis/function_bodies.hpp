// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of the program do when they are called, for harmless_calls.cpp alone.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "analysis/called_types.hpp"
#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/instance_types.hpp"
#include "analysis/numbers.hpp"
#include "analysis/own_parts.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/statement_forms.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

/// Looks into functions and lambdas of this file; one that calls itself counts as harmless until it
/// is seen to do something else.
class FunctionBodies {
public:
    /// `areNumbers`: what parameters of the templates round the first call stand for.
    explicit FunctionBodies(bool areNumbers = false) : areNumbers_(areNumbers) {}

    std::vector<ReadVariable> read;
    std::set<std::string> parameters;  // of which functions take for granted that they are numbers

    bool isHarmless(NodePtr call) {
        if (!first_) first_ = call;
        const NodePtr callee = call->child(ast::Call::callee);
        if (computesByName(call) || convertsToNumber(call)) return true;
        if (callee->symbol && functions_.contains(callee->symbol)) return true;
        if (const auto choices = choicesOf(callee); !choices.empty())
            return areNumbers_ && std::ranges::all_of(choices, [this](const ast::Symbol* each) {
                       return isHarmlessFunction(each->declaration);
                   });
        const NodePtr definition = definitionOf(callee);
        if (!definition || !takesFunctions(call, definition)) return false;
        const bool before =
            std::exchange(isOfNumbers_, isOfNumbers_ || isOfObjectOfNumbers(callee));
        const bool isHarmless =
            (isOfNumbers_ || isOfTheseTypes(call, definition)) && isHarmlessFunction(definition);
        isOfNumbers_ = before;
        return isHarmless;
    }
    bool isHarmlessFunction(NodePtr definition) { return isHarmlessFunction(definition, nullptr); }

    /// `mayReadElements`: of multiarrays, in a lambda that is one value.
    bool isHarmlessLambda(NodePtr lambda, bool mayReadElements = false) {
        const NodePtr value = ast::valueOfLambda(lambda);
        if (!value)
            return !lambda->child(ast::Lambda::qualifiers) && onlyComputes(lambda) &&
                   isHarmlessFunction(lambda);
        mayReadElements_ = mayReadElements;
        const bool isHarmless = onlyComputes(value);
        mayReadElements_ = false;
        return isHarmless;
    }

    /// Of an operator that changes its first operand too, if that is what it may change.
    bool isHarmlessOperator(NodePtr e) {
        if (!operatesOnObjects(e)) return true;
        const NodePtr changed = ast::changedOperand(e);
        if (!first_) first_ = e;
        const auto fits = [this](NodePtr each) { return knowsTypes() || isPlainOperand(each); };
        if (!e->symbol || !std::ranges::all_of(e->children(), fits)) return false;
        const bool before =
            std::exchange(isOfNumbers_, isOfNumbers_ || isOfNumbers(e->children().front()) ||
                                            isOfNumbers(e->children().back()));
        bool isHarmless = true;
        for (const ast::Symbol* each = e->symbol; each; each = each->previous)
            isHarmless = isHarmless && isHarmlessFunction(each->declaration, changed ? e : nullptr);
        isOfNumbers_ = before;
        return isHarmless;
    }

    /// True if all that the functions of a subscript return are parts of their object, by name.
    bool namesOwnPart(NodePtr subscript) {
        if (!subscript->symbol || !isHarmlessOperator(subscript)) return false;
        for (const ast::Symbol* each = subscript->symbol; each; each = each->previous) {
            const NodePtr body = each->declaration->children().back();
            if (!returnsOwnPart(body)) return false;
        }
        return true;
    }

    bool isHarmlessConstructor(NodePtr definition) {
        if (!isHarmlessFunction(definition, definition)) return false;
        const NodePtr initializers = definition->child(ast::FunctionDefinition::initializers);
        const auto isHarmless = [this](NodePtr each) {
            return ast::is<ast::MemberInitializer>(each) && each->symbol &&
                   each->symbol->kind == ast::SymbolKind::Field &&
                   isHarmlessInitializer(each->child(ast::MemberInitializer::initializer));
        };
        return (!initializers || std::ranges::all_of(initializers->children(), isHarmless)) &&
               readsConstants();
    }
    bool isHarmlessInitializer(NodePtr initializer) { return onlyComputes(initializer); }

    /// Members apart, which are those of the object that is made.
    bool readsConstants() const {
        return std::ranges::all_of(read, [](const ReadVariable& each) {
            const ast::Symbol* symbol = each.number;
            if (isOwnMember(each)) return true;
            return !each.isMemory && symbol && symbol->type && symbol->type->isConst &&
                   !symbol->type->isReference;
        });
    }

    /// `changing`: the expression or constructor that has it change its object, or its first
    /// parameter; null if it may change neither.
    bool isHarmlessFunction(NodePtr definition, NodePtr changing) {
        if (!ast::isAny<ast::FunctionDefinition, ast::Lambda>(definition) || mayVary(definition))
            return false;
        if (!seen_.insert({definition, changing != nullptr}).second) return true;
        const NodePtr parameters = ast::parametersOf(definition);
        const bool hasOwn = parameters && changing && changing != definition &&
                            isChangedByOperator(parameters, changing);
        const ast::Symbol* const own = hasOwn ? parameters->child(0)->symbol : nullptr;
        const bool changedObject = std::exchange(changesObject_, changing && !own);
        const ast::Symbol* const changedParameter = std::exchange(changedParameter_, own);
        const bool isHarmless =
            (parameters ? areValues(parameters, own) : ast::is<ast::Lambda>(definition)) &&
            onlyComputes(definition->children().back());
        changesObject_ = changedObject;
        changedParameter_ = changedParameter;
        return isHarmless;
    }

private:
    /// Parameters of templates stand for numbers, by a premise or as the object tells.
    bool knowsTypes() const { return areNumbers_ || isOfNumbers_; }

    /// `T(2)`, where T is a parameter or what an instance takes for one.
    bool convertsToNumber(NodePtr call) const {
        const NodePtr callee = call->child(ast::Call::callee);
        const ast::Symbol* const symbol = callee->symbol;
        const bool isType = symbol && (symbol->kind == ast::SymbolKind::Alias ||
                                       symbol->kind == ast::SymbolKind::TemplateParameter);
        return isType && ast::is<ast::Identifier>(callee) && knowsTypes() &&
               typeParameterOf(symbol->type);
    }

    /// Lambdas that compute a value, for parameters whose type is a parameter of a template.
    bool takesFunctions(NodePtr call, NodePtr definition) {
        const auto arguments = call->child(ast::Call::arguments)->children();
        for (size_t k = 0; k < arguments.size(); ++k) {
            const ast::Symbol* const parameter = parameterOf(definition, k);
            const bool isLambda = ast::is<ast::Lambda>(arguments[k]);
            if (!isLambda && functions_.contains(parameter)) return false;  // an object, perhaps
            if (!isLambda) continue;
            const ast::Symbol* const type = parameter ? typeParameterOf(parameter->type) : nullptr;
            if (!type || !isHarmlessLambda(arguments[k], call == first_)) return false;
            functions_.insert({parameter, type});
        }
        return true;
    }

    /// What an instance of a template is made for, and what another function mentions, must be
    /// parameters of the templates round the first call. Arguments tell themselves what they are.
    bool isOfTheseTypes(NodePtr call, NodePtr definition) {
        const NodePtr callee = call->child(ast::Call::callee);
        const ast::Symbol* const called = callee->type ? callee->type->called : nullptr;
        const bool isInstance =
            called && called->generic && called->generic->kind == ast::SymbolKind::Function;
        return !ast::anywhere(isInstance ? callee : definition, [&](NodePtr each) {
            const ast::Symbol* const parameter = typeParameterOf(each->type);
            if (!parameter || (isInstance && !ast::is<ast::TypeName>(each)) ||
                functions_.contains(parameter))
                return false;
            parameters.insert(parameter->name);
            const bool isKnown = isInstance || !isOfAnother(callee);
            return !areNumbers_ || !isKnown || !isTemplateRound(*parameter, first_);
        });
    }
    /// By value or by reference to const, and nothing that holds elements; but for the one that may
    /// be changed.
    bool areValues(NodePtr parameters, const ast::Symbol* changed) {
        return std::ranges::all_of(parameters->children(), [this, changed](NodePtr parameter) {
            if (changed && parameter->symbol == changed) return isPlainParameter(changed->type);
            if (functions_.contains(parameter->symbol)) return true;
            const NodePtr name =
                ast::is<ast::Parameter>(parameter)
                    ? ast::declaredName(parameter->child(ast::Parameter::declarator))
                    : nullptr;
            if (!ast::is<ast::Identifier>(name) || !name->symbol || !isValue(name->symbol->type))
                return false;
            taken_.insert(name->symbol);
            const bool isMemory = name->symbol->type->kind == ast::TypeKind::Pointer ||
                                  name->symbol->type->kind == ast::TypeKind::CArray;
            if (!isMemory) declared_.insert(name->symbol->declaration);
            return true;
        });
    }

    /// Of a class template the parameters stand for what its object has.
    bool isPlain(const ast::Type* type) const {
        return knowsTypes() ? isPlainForNumbers(type) : isPlainValue(type);
    }
    bool isContainer(const ast::Type* type) const {
        return knowsTypes() ? isContainerForNumbers(type) : isContainerOfNumbers(type);
    }
    bool isPlainParameter(const ast::Type* type) const {
        ast::Type object = *type;
        object.isReference = false;
        return isPlain(&object);
    }

    bool isValue(const ast::Type* type) {
        if (pointsToNumbers(type)) return true;
        if (!type || !type->isReference) return isPlain(type);
        ast::Type referred = *type;
        referred.isReference = false;
        return type->isConst && isPlain(&referred);
    }

    bool onlyComputes(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Call:
            if (!isHarmless(node)) return false;
            if (namesTemplate(node->child(ast::Call::callee)))
                return onlyComputes(node->child(ast::Call::arguments));
            break;
        case ast::Kind::Assign:
            if (!isLocal(node->child(ast::Assign::target)) || !isHarmlessOperator(node))
                return false;
            break;
        case ast::Kind::Postfix:
            if (!isLocal(node->child(ast::Postfix::operand)) || operatesOnObjects(node))
                return false;
            break;
        case ast::Kind::Unary:
            if (isObjectItself(node)) return true;
            if (!isValueOperator(node) || !isHarmlessOperator(node)) return false;
            break;
        case ast::Kind::Binary:
        case ast::Kind::Comma:
            if (!isHarmlessOperator(node)) return false;
            break;
        case ast::Kind::Identifier:
            if (!isReadable(node)) return false;
            break;
        case ast::Kind::ExpressionStatement:
            if (ast::isUnknownName(node->child(ast::ExpressionStatement::expression))) return false;
            break;
        case ast::Kind::PointerMember:  // `this->by`
            if (node->child(ast::PointerMember::base)->text() != "this") return false;
            noteRead(node->child(ast::PointerMember::name));
            return !ast::isObject(node->type) || isValue(node->type);
        case ast::Kind::Member:
            return readsMember(node);
        case ast::Kind::Subscript:
            return readsElement(node);
        case ast::Kind::Declaration:
            if (!isPlainDeclaration(node)) return false;
            break;
        case ast::Kind::If:
            if (const auto branch = compiledBranch(node)) return !*branch || onlyComputes(*branch);
            break;
        case ast::Kind::FunctionalCast:
            return isPlain(node->type) && onlyComputes(node->children().back());
        case ast::Kind::Lambda:  // what it does counts where it is called
            return std::ranges::all_of(node->child(ast::Lambda::captures)->children(),
                                       [this](NodePtr each) { return isPlainCapture(each); });
        default:
            if (!isMadeOfParts(node)) return false;
        }
        return std::ranges::all_of(node->children(),
                                   [this](NodePtr child) { return !child || onlyComputes(child); });
    }

    /// `&`, `=`, `&x`, or a copy of a plain value.
    bool isPlainCapture(NodePtr capture) const {
        if (ast::is<ast::DefaultCapture>(capture)) return true;
        if (ast::is<ast::ReferenceCapture>(capture))
            return !capture->child(ast::ReferenceCapture::initializer);
        if (!ast::is<ast::ValueCapture>(capture) || capture->child(ast::ValueCapture::initializer))
            return false;
        const NodePtr name = capture->child(ast::ValueCapture::name);
        return name->symbol && isPlain(name->symbol->type);
    }

    /// A name, if it is no object that perhaps converts itself.
    bool isReadable(NodePtr name) {
        const ast::Symbol* symbol = name->symbol;
        if (!symbol ||
            (symbol->kind != ast::SymbolKind::Variable && symbol->kind != ast::SymbolKind::Field))
            return true;
        if (!declared_.contains(symbol->declaration)) noteRead(name);
        return !ast::isObject(symbol->type) || isValue(symbol->type);
    }
    void noteRead(NodePtr name) { read.push_back({name->text(), name->symbol}); }
    void noteMemory(NodePtr name) {
        const bool isMember = name->symbol && name->symbol->kind == ast::SymbolKind::Field &&
                              name->symbol->type &&
                              name->symbol->type->kind != ast::TypeKind::Pointer;
        if (!namesConstants(name))
            read.push_back({name->text(), isMember ? name->symbol : nullptr, true});
    }

    /// `config.gamma`: of the object, that member.
    bool readsMember(NodePtr member) {
        const NodePtr name = member->child(ast::Member::name);
        const size_t before = read.size();
        if (!onlyComputes(member->child(ast::Member::base))) return false;
        if (read.size() > before) {
            read[before].number = name->symbol;
            noteRead(name);
        }
        return !ast::isObject(member->type) || isValue(member->type);
    }

    /// `weights[k]`, of a C array or std::array, or of another container of numbers.
    bool readsElement(NodePtr element) {
        const NodePtr base = element->child(ast::Subscript::base),
                      subscripts = element->child(ast::Subscript::subscripts);
        const ast::Type* type = base->type;
        const bool isArray = type && type->kind == ast::TypeKind::CArray;
        const bool isPointer = pointsToNumbers(type);
        const auto computes = [this](NodePtr child) { return onlyComputes(child); };
        if (mayReadElements_ && ast::multiarrayType(base))
            return ast::isNumber(element->type) && ast::isSimple(base) &&
                   std::ranges::all_of(subscripts->children(), computes);
        if (element->symbol)
            return isHarmlessOperator(element) && onlyComputes(base) &&
                   std::ranges::all_of(subscripts->children(), computes);
        if (!isArray && !isPointer && !isContainer(type)) return false;
        if (!ast::is<ast::Identifier>(base)) {
            if (isPointer || !onlyComputes(base)) return false;
        } else if (!base->symbol || !declared_.contains(base->symbol->declaration)) {
            noteMemory(base);
        }
        return isPlain(element->type) && std::ranges::all_of(subscripts->children(), computes);
    }

    bool isLocal(NodePtr target) const {
        target = ast::withoutParentheses(target);
        if (isPartOfObject(target) && !isPlain(target->type)) return false;
        while (isPartOfObject(target)) target = ast::withoutParentheses(target->child(0));
        if (isObjectItself(target)) return changesObject_;
        if (ast::is<ast::PointerMember>(target))
            return changesObject_ && target->child(ast::PointerMember::base)->text() == "this" &&
                   isPlain(target->type);
        if (!ast::is<ast::Identifier>(target) || !target->symbol) return false;
        const ast::Symbol& symbol = *target->symbol;
        if (symbol.kind == ast::SymbolKind::Field) return changesObject_;
        if (&symbol == changedParameter_) return true;
        const bool isPointer = symbol.type && symbol.type->kind == ast::TypeKind::CArray;
        return (taken_.contains(&symbol) && !isPointer) || declared_.contains(symbol.declaration);
    }

    bool isValueOperator(NodePtr unary) {
        const std::string_view op = unary->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") return isLocal(unary->child(ast::Unary::operand));
        return op == "-" || op == "+" || op == "!" || op == "~";
    }

    /// Of numbers of its own.
    bool isPlainDeclaration(NodePtr declaration) {
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        const NodePtr declarators = declaration->child(ast::Declaration::declarators);
        if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return false;
        const NodePtr before = specifiers->child(ast::Specifiers::before);
        if (before && before->text() != "const" && before->text() != "constexpr") return false;
        for (const NodePtr each : declarators->children()) {
            const NodePtr name = variableOf(each->child(ast::InitDeclarator::declarator));
            if (!ast::is<ast::Identifier>(name) ||
                !(declaresNumber(specifiers, name) ||
                  (name->symbol && isPlain(name->symbol->type)) || lambdaOf(name->symbol)))
                return false;
            declared_.insert(each);
        }
        return true;
    }

    std::set<std::pair<NodePtr, bool>> seen_;  // and whether they may change their object
    bool changesObject_ = false;
    bool isOfNumbers_ = false;  // what parameters of class templates stand for
    const bool areNumbers_;
    bool mayReadElements_ = false;  // of multiarrays: in the first call, where they are seen
    std::unordered_set<const ast::Symbol*> functions_;  // parameters for such, and their types
    NodePtr first_ = nullptr;                           // call or operator
    const ast::Symbol* changedParameter_ = nullptr;
    std::unordered_set<NodePtr> declared_;
    std::unordered_set<const ast::Symbol*> taken_;  // parameters of the functions themselves
};

}  // namespace hpcc::analysis
